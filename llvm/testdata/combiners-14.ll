; ModuleID = 'combiners.cc'
source_filename = "combiners.cc"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.Least = type { i32, i32 }
%struct.ident_t = type { i32, i32, i32, i32, i8* }
%struct.Moments = type { double, double, double }
%class.anon = type { i8 }
%class.anon.0 = type { i8 }
%struct.Saturating = type { i8 }

$__clang_call_terminate = comdat any

$_ZNK10SaturatingclEhh = comdat any

@__const._Z7reducedPK5LeastPKiPKdP7Momentsi.l = private unnamed_addr constant %struct.Least { i32 2147483647, i32 0 }, align 4
@0 = private unnamed_addr constant [23 x i8] c";unknown;unknown;0;0;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 22, i8* getelementptr inbounds ([23 x i8], [23 x i8]* @0, i32 0, i32 0) }, align 8
@.gomp_critical_user_.reduction.var = common global [8 x i32] zeroinitializer
@2 = private unnamed_addr constant %struct.ident_t { i32 0, i32 18, i32 0, i32 22, i8* getelementptr inbounds ([23 x i8], [23 x i8]* @0, i32 0, i32 0) }, align 8
@3 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 22, i8* getelementptr inbounds ([23 x i8], [23 x i8]* @0, i32 0, i32 0) }, align 8
@.gomp_critical_user_.atomic_reduction.var = common global [8 x i32] zeroinitializer

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define dso_local noundef i32 @_Z7reducedPK5LeastPKiPKdP7Momentsi(%struct.Least* noundef %0, i32* noundef %1, double* noundef %2, %struct.Moments* noundef %3, i32 noundef %4) #0 {
  %6 = alloca %struct.Least*, align 8
  %7 = alloca i32*, align 8
  %8 = alloca double*, align 8
  %9 = alloca %struct.Moments*, align 8
  %10 = alloca i32, align 4
  %11 = alloca %struct.Least, align 4
  %12 = alloca i32, align 4
  %13 = alloca double, align 8
  %14 = alloca %struct.Moments, align 8
  store %struct.Least* %0, %struct.Least** %6, align 8
  store i32* %1, i32** %7, align 8
  store double* %2, double** %8, align 8
  store %struct.Moments* %3, %struct.Moments** %9, align 8
  store i32 %4, i32* %10, align 4
  %15 = bitcast %struct.Least* %11 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %15, i8* align 4 bitcast (%struct.Least* @__const._Z7reducedPK5LeastPKiPKdP7Momentsi.l to i8*), i64 8, i1 false)
  store i32 0, i32* %12, align 4
  store double 0.000000e+00, double* %13, align 8
  %16 = bitcast %struct.Moments* %14 to i8*
  call void @llvm.memset.p0i8.i64(i8* align 8 %16, i8 0, i64 24, i1 false)
  call void (%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) @__kmpc_fork_call(%struct.ident_t* @3, i32 9, void (i32*, i32*, ...)* bitcast (void (i32*, i32*, i32*, %struct.Least**, %struct.Least*, i32**, i32*, double*, double**, %struct.Moments*, %struct.Moments**)* @.omp_outlined. to void (i32*, i32*, ...)*), i32* %10, %struct.Least** %6, %struct.Least* %11, i32** %7, i32* %12, double* %13, double** %8, %struct.Moments* %14, %struct.Moments** %9)
  %17 = getelementptr inbounds %struct.Least, %struct.Least* %11, i32 0, i32 1
  %18 = load i32, i32* %17, align 4
  %19 = load i32, i32* %12, align 4
  %20 = add nsw i32 %18, %19
  %21 = load double, double* %13, align 8
  %22 = fptosi double %21 to i32
  %23 = add nsw i32 %20, %22
  %24 = getelementptr inbounds %struct.Moments, %struct.Moments* %14, i32 0, i32 1
  %25 = load double, double* %24, align 8
  %26 = fptosi double %25 to i32
  %27 = add nsw i32 %23, %26
  ret i32 %27
}

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: argmemonly nofree nounwind willreturn writeonly
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: noinline norecurse nounwind optnone uwtable
define internal void @.omp_outlined.(i32* noalias noundef %0, i32* noalias noundef %1, i32* noundef nonnull align 4 dereferenceable(4) %2, %struct.Least** noundef nonnull align 8 dereferenceable(8) %3, %struct.Least* noundef nonnull align 4 dereferenceable(8) %4, i32** noundef nonnull align 8 dereferenceable(8) %5, i32* noundef nonnull align 4 dereferenceable(4) %6, double* noundef nonnull align 8 dereferenceable(8) %7, double** noundef nonnull align 8 dereferenceable(8) %8, %struct.Moments* noundef nonnull align 8 dereferenceable(24) %9, %struct.Moments** noundef nonnull align 8 dereferenceable(8) %10) #3 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
  %12 = alloca i32*, align 8
  %13 = alloca i32*, align 8
  %14 = alloca i32*, align 8
  %15 = alloca %struct.Least**, align 8
  %16 = alloca %struct.Least*, align 8
  %17 = alloca i32**, align 8
  %18 = alloca i32*, align 8
  %19 = alloca double*, align 8
  %20 = alloca double**, align 8
  %21 = alloca %struct.Moments*, align 8
  %22 = alloca %struct.Moments**, align 8
  %23 = alloca i32, align 4
  %24 = alloca i32, align 4
  %25 = alloca i32, align 4
  %26 = alloca i32, align 4
  %27 = alloca i32, align 4
  %28 = alloca i32, align 4
  %29 = alloca i32, align 4
  %30 = alloca i32, align 4
  %31 = alloca i32, align 4
  %32 = alloca %struct.Least, align 4
  %33 = alloca i32, align 4
  %34 = alloca double, align 8
  %35 = alloca %struct.Moments, align 8
  %36 = alloca i32, align 4
  %37 = alloca [4 x i8*], align 8
  %38 = alloca i8*, align 8
  %39 = alloca i32, align 4
  store i32* %0, i32** %12, align 8
  store i32* %1, i32** %13, align 8
  store i32* %2, i32** %14, align 8
  store %struct.Least** %3, %struct.Least*** %15, align 8
  store %struct.Least* %4, %struct.Least** %16, align 8
  store i32** %5, i32*** %17, align 8
  store i32* %6, i32** %18, align 8
  store double* %7, double** %19, align 8
  store double** %8, double*** %20, align 8
  store %struct.Moments* %9, %struct.Moments** %21, align 8
  store %struct.Moments** %10, %struct.Moments*** %22, align 8
  %40 = load i32*, i32** %14, align 8
  %41 = load %struct.Least**, %struct.Least*** %15, align 8
  %42 = load %struct.Least*, %struct.Least** %16, align 8
  %43 = load i32**, i32*** %17, align 8
  %44 = load i32*, i32** %18, align 8
  %45 = load double*, double** %19, align 8
  %46 = load double**, double*** %20, align 8
  %47 = load %struct.Moments*, %struct.Moments** %21, align 8
  %48 = load %struct.Moments**, %struct.Moments*** %22, align 8
  %49 = load i32, i32* %40, align 4
  store i32 %49, i32* %25, align 4
  %50 = load i32, i32* %25, align 4
  %51 = sub nsw i32 %50, 0
  %52 = sdiv i32 %51, 1
  %53 = sub nsw i32 %52, 1
  store i32 %53, i32* %26, align 4
  store i32 0, i32* %27, align 4
  %54 = load i32, i32* %25, align 4
  %55 = icmp slt i32 0, %54
  br i1 %55, label %56, label %184

56:                                               ; preds = %11
  store i32 0, i32* %28, align 4
  %57 = load i32, i32* %26, align 4
  store i32 %57, i32* %29, align 4
  store i32 1, i32* %30, align 4
  store i32 0, i32* %31, align 4
  invoke void @.omp_initializer.(%struct.Least* noundef %32, %struct.Least* noundef %42)
          to label %58 unwind label %185

58:                                               ; preds = %56
  invoke void @.omp_initializer..2(i32* noundef %33, i32* noundef %44)
          to label %59 unwind label %185

59:                                               ; preds = %58
  invoke void @.omp_initializer..4(double* noundef %34, double* noundef %45)
          to label %60 unwind label %185

60:                                               ; preds = %59
  invoke void @.omp_initializer..6(%struct.Moments* noundef %35, %struct.Moments* noundef %47)
          to label %61 unwind label %185

61:                                               ; preds = %60
  %62 = load i32*, i32** %12, align 8
  %63 = load i32, i32* %62, align 4
  call void @__kmpc_for_static_init_4(%struct.ident_t* @1, i32 %63, i32 34, i32* %31, i32* %28, i32* %29, i32* %30, i32 1, i32 1)
  %64 = load i32, i32* %29, align 4
  %65 = load i32, i32* %26, align 4
  %66 = icmp sgt i32 %64, %65
  br i1 %66, label %67, label %69

67:                                               ; preds = %61
  %68 = load i32, i32* %26, align 4
  br label %71

69:                                               ; preds = %61
  %70 = load i32, i32* %29, align 4
  br label %71

71:                                               ; preds = %69, %67
  %72 = phi i32 [ %68, %67 ], [ %70, %69 ]
  store i32 %72, i32* %29, align 4
  %73 = load i32, i32* %28, align 4
  store i32 %73, i32* %23, align 4
  br label %74

74:                                               ; preds = %126, %71
  %75 = load i32, i32* %23, align 4
  %76 = load i32, i32* %29, align 4
  %77 = icmp sle i32 %75, %76
  br i1 %77, label %78, label %129

78:                                               ; preds = %74
  %79 = load i32, i32* %23, align 4
  %80 = mul nsw i32 %79, 1
  %81 = add nsw i32 0, %80
  store i32 %81, i32* %36, align 4
  %82 = load %struct.Least*, %struct.Least** %41, align 8
  %83 = load i32, i32* %36, align 4
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds %struct.Least, %struct.Least* %82, i64 %84
  %86 = getelementptr inbounds %struct.Least, %struct.Least* %85, i32 0, i32 0
  %87 = load i32, i32* %86, align 4
  %88 = getelementptr inbounds %struct.Least, %struct.Least* %32, i32 0, i32 0
  %89 = load i32, i32* %88, align 4
  %90 = icmp slt i32 %87, %89
  br i1 %90, label %91, label %98

91:                                               ; preds = %78
  %92 = load %struct.Least*, %struct.Least** %41, align 8
  %93 = load i32, i32* %36, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds %struct.Least, %struct.Least* %92, i64 %94
  %96 = bitcast %struct.Least* %32 to i8*
  %97 = bitcast %struct.Least* %95 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %96, i8* align 4 %97, i64 8, i1 false)
  br label %98

98:                                               ; preds = %91, %78
  %99 = load i32*, i32** %43, align 8
  %100 = load i32, i32* %36, align 4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds i32, i32* %99, i64 %101
  %103 = load i32, i32* %102, align 4
  %104 = load i32, i32* %33, align 4
  %105 = icmp sgt i32 %103, %104
  br i1 %105, label %106, label %112

106:                                              ; preds = %98
  %107 = load i32*, i32** %43, align 8
  %108 = load i32, i32* %36, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds i32, i32* %107, i64 %109
  %111 = load i32, i32* %110, align 4
  store i32 %111, i32* %33, align 4
  br label %112

112:                                              ; preds = %106, %98
  %113 = load double*, double** %46, align 8
  %114 = load i32, i32* %36, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds double, double* %113, i64 %115
  %117 = load double, double* %116, align 8
  %118 = load double, double* %34, align 8
  %119 = fadd double %118, %117
  store double %119, double* %34, align 8
  %120 = load %struct.Moments*, %struct.Moments** %48, align 8
  %121 = load i32, i32* %36, align 4
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds %struct.Moments, %struct.Moments* %120, i64 %122
  invoke void @_ZL5mergeR7MomentsRKS_(%struct.Moments* noundef nonnull align 8 dereferenceable(24) %35, %struct.Moments* noundef nonnull align 8 dereferenceable(24) %123)
          to label %124 unwind label %185

124:                                              ; preds = %112
  br label %125

125:                                              ; preds = %124
  br label %126

126:                                              ; preds = %125
  %127 = load i32, i32* %23, align 4
  %128 = add nsw i32 %127, 1
  store i32 %128, i32* %23, align 4
  br label %74

129:                                              ; preds = %74
  br label %130

130:                                              ; preds = %129
  %131 = load i32*, i32** %12, align 8
  %132 = load i32, i32* %131, align 4
  call void @__kmpc_for_static_fini(%struct.ident_t* @1, i32 %132)
  %133 = getelementptr inbounds [4 x i8*], [4 x i8*]* %37, i64 0, i64 0
  %134 = bitcast %struct.Least* %32 to i8*
  store i8* %134, i8** %133, align 8
  %135 = getelementptr inbounds [4 x i8*], [4 x i8*]* %37, i64 0, i64 1
  %136 = bitcast i32* %33 to i8*
  store i8* %136, i8** %135, align 8
  %137 = getelementptr inbounds [4 x i8*], [4 x i8*]* %37, i64 0, i64 2
  %138 = bitcast double* %34 to i8*
  store i8* %138, i8** %137, align 8
  %139 = getelementptr inbounds [4 x i8*], [4 x i8*]* %37, i64 0, i64 3
  %140 = bitcast %struct.Moments* %35 to i8*
  store i8* %140, i8** %139, align 8
  %141 = load i32*, i32** %12, align 8
  %142 = load i32, i32* %141, align 4
  %143 = bitcast [4 x i8*]* %37 to i8*
  %144 = call i32 @__kmpc_reduce_nowait(%struct.ident_t* @2, i32 %142, i32 4, i64 32, i8* %143, void (i8*, i8*)* @.omp.reduction.reduction_func, [8 x i32]* @.gomp_critical_user_.reduction.var)
  switch i32 %144, label %183 [
    i32 1, label %145
    i32 2, label %154
  ]

145:                                              ; preds = %130
  invoke void @.omp_combiner.(%struct.Least* noundef %42, %struct.Least* noundef %32)
          to label %146 unwind label %150

146:                                              ; preds = %145
  invoke void @.omp_combiner..1(i32* noundef %44, i32* noundef %33)
          to label %147 unwind label %150

147:                                              ; preds = %146
  invoke void @.omp_combiner..3(double* noundef %45, double* noundef %34)
          to label %148 unwind label %150

148:                                              ; preds = %147
  invoke void @.omp_combiner..5(%struct.Moments* noundef %47, %struct.Moments* noundef %35)
          to label %149 unwind label %150

149:                                              ; preds = %148
  call void @__kmpc_end_reduce_nowait(%struct.ident_t* @2, i32 %142, [8 x i32]* @.gomp_critical_user_.reduction.var)
  br label %183

150:                                              ; preds = %148, %147, %146, %145
  %151 = landingpad { i8*, i32 }
          catch i8* null
  %152 = extractvalue { i8*, i32 } %151, 0
  store i8* %152, i8** %38, align 8
  %153 = extractvalue { i8*, i32 } %151, 1
  store i32 %153, i32* %39, align 4
  call void @__kmpc_end_reduce_nowait(%struct.ident_t* @2, i32 %142, [8 x i32]* @.gomp_critical_user_.reduction.var)
  br label %188

154:                                              ; preds = %130
  %155 = load i32*, i32** %12, align 8
  %156 = load i32, i32* %155, align 4
  call void @__kmpc_critical(%struct.ident_t* @3, i32 %156, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner.(%struct.Least* noundef %42, %struct.Least* noundef %32)
          to label %157 unwind label %167

157:                                              ; preds = %154
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %156, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  %158 = load i32*, i32** %12, align 8
  %159 = load i32, i32* %158, align 4
  call void @__kmpc_critical(%struct.ident_t* @3, i32 %159, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner..1(i32* noundef %44, i32* noundef %33)
          to label %160 unwind label %171

160:                                              ; preds = %157
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %159, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  %161 = load i32*, i32** %12, align 8
  %162 = load i32, i32* %161, align 4
  call void @__kmpc_critical(%struct.ident_t* @3, i32 %162, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner..3(double* noundef %45, double* noundef %34)
          to label %163 unwind label %175

163:                                              ; preds = %160
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %162, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  %164 = load i32*, i32** %12, align 8
  %165 = load i32, i32* %164, align 4
  call void @__kmpc_critical(%struct.ident_t* @3, i32 %165, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner..5(%struct.Moments* noundef %47, %struct.Moments* noundef %35)
          to label %166 unwind label %179

166:                                              ; preds = %163
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %165, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  br label %183

167:                                              ; preds = %154
  %168 = landingpad { i8*, i32 }
          catch i8* null
  %169 = extractvalue { i8*, i32 } %168, 0
  store i8* %169, i8** %38, align 8
  %170 = extractvalue { i8*, i32 } %168, 1
  store i32 %170, i32* %39, align 4
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %156, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  br label %188

171:                                              ; preds = %157
  %172 = landingpad { i8*, i32 }
          catch i8* null
  %173 = extractvalue { i8*, i32 } %172, 0
  store i8* %173, i8** %38, align 8
  %174 = extractvalue { i8*, i32 } %172, 1
  store i32 %174, i32* %39, align 4
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %159, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  br label %188

175:                                              ; preds = %160
  %176 = landingpad { i8*, i32 }
          catch i8* null
  %177 = extractvalue { i8*, i32 } %176, 0
  store i8* %177, i8** %38, align 8
  %178 = extractvalue { i8*, i32 } %176, 1
  store i32 %178, i32* %39, align 4
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %162, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  br label %188

179:                                              ; preds = %163
  %180 = landingpad { i8*, i32 }
          catch i8* null
  %181 = extractvalue { i8*, i32 } %180, 0
  store i8* %181, i8** %38, align 8
  %182 = extractvalue { i8*, i32 } %180, 1
  store i32 %182, i32* %39, align 4
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %165, [8 x i32]* @.gomp_critical_user_.atomic_reduction.var)
  br label %188

183:                                              ; preds = %166, %149, %130
  br label %184

184:                                              ; preds = %183, %11
  ret void

185:                                              ; preds = %112, %60, %59, %58, %56
  %186 = landingpad { i8*, i32 }
          catch i8* null
  %187 = extractvalue { i8*, i32 } %186, 0
  call void @__clang_call_terminate(i8* %187) #11
  unreachable

188:                                              ; preds = %179, %175, %171, %167, %150
  %189 = load i8*, i8** %38, align 8
  call void @__clang_call_terminate(i8* %189) #11
  unreachable
}

; Function Attrs: noinline uwtable
define internal void @.omp_combiner.(%struct.Least* noalias noundef %0, %struct.Least* noalias noundef %1) #4 {
  %3 = alloca %struct.Least*, align 8
  %4 = alloca %struct.Least*, align 8
  store %struct.Least* %0, %struct.Least** %3, align 8
  store %struct.Least* %1, %struct.Least** %4, align 8
  %5 = load %struct.Least*, %struct.Least** %4, align 8
  %6 = load %struct.Least*, %struct.Least** %3, align 8
  %7 = getelementptr inbounds %struct.Least, %struct.Least* %5, i32 0, i32 0
  %8 = load i32, i32* %7, align 4
  %9 = getelementptr inbounds %struct.Least, %struct.Least* %6, i32 0, i32 0
  %10 = load i32, i32* %9, align 4
  %11 = icmp slt i32 %8, %10
  br i1 %11, label %12, label %13

12:                                               ; preds = %2
  br label %14

13:                                               ; preds = %2
  br label %14

14:                                               ; preds = %13, %12
  %15 = phi %struct.Least* [ %5, %12 ], [ %6, %13 ]
  %16 = bitcast %struct.Least* %6 to i8*
  %17 = bitcast %struct.Least* %15 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %16, i8* align 4 %17, i64 8, i1 false)
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_initializer.(%struct.Least* noalias noundef %0, %struct.Least* noalias noundef %1) #4 {
  %3 = alloca %struct.Least*, align 8
  %4 = alloca %struct.Least*, align 8
  store %struct.Least* %0, %struct.Least** %3, align 8
  store %struct.Least* %1, %struct.Least** %4, align 8
  %5 = load %struct.Least*, %struct.Least** %4, align 8
  %6 = load %struct.Least*, %struct.Least** %3, align 8
  %7 = getelementptr inbounds %struct.Least, %struct.Least* %6, i32 0, i32 0
  store i32 2147483647, i32* %7, align 4
  %8 = getelementptr inbounds %struct.Least, %struct.Least* %6, i32 0, i32 1
  store i32 0, i32* %8, align 4
  ret void
}

declare i32 @__gxx_personality_v0(...)

; Function Attrs: noinline noreturn nounwind
define linkonce_odr hidden void @__clang_call_terminate(i8* %0) #5 comdat {
  %2 = call i8* @__cxa_begin_catch(i8* %0) #7
  call void @_ZSt9terminatev() #11
  unreachable
}

declare i8* @__cxa_begin_catch(i8*)

declare void @_ZSt9terminatev()

; Function Attrs: noinline uwtable
define internal void @.omp_combiner..1(i32* noalias noundef %0, i32* noalias noundef %1) #4 {
  %3 = alloca i32*, align 8
  %4 = alloca i32*, align 8
  store i32* %0, i32** %3, align 8
  store i32* %1, i32** %4, align 8
  %5 = load i32*, i32** %4, align 8
  %6 = load i32*, i32** %3, align 8
  %7 = load i32, i32* %5, align 4
  %8 = load i32, i32* %6, align 4
  %9 = icmp sgt i32 %7, %8
  br i1 %9, label %10, label %12

10:                                               ; preds = %2
  %11 = load i32, i32* %5, align 4
  br label %14

12:                                               ; preds = %2
  %13 = load i32, i32* %6, align 4
  br label %14

14:                                               ; preds = %12, %10
  %15 = phi i32 [ %11, %10 ], [ %13, %12 ]
  store i32 %15, i32* %6, align 4
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_initializer..2(i32* noalias noundef %0, i32* noalias noundef %1) #4 {
  %3 = alloca i32*, align 8
  %4 = alloca i32*, align 8
  store i32* %0, i32** %3, align 8
  store i32* %1, i32** %4, align 8
  %5 = load i32*, i32** %4, align 8
  %6 = load i32*, i32** %3, align 8
  store i32 0, i32* %6, align 4
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_combiner..3(double* noalias noundef %0, double* noalias noundef %1) #4 {
  %3 = alloca double*, align 8
  %4 = alloca double*, align 8
  store double* %0, double** %3, align 8
  store double* %1, double** %4, align 8
  %5 = load double*, double** %4, align 8
  %6 = load double*, double** %3, align 8
  %7 = load double, double* %5, align 8
  %8 = load double, double* %5, align 8
  %9 = load double, double* %6, align 8
  %10 = call double @llvm.fmuladd.f64(double %7, double %8, double %9)
  store double %10, double* %6, align 8
  ret void
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare double @llvm.fmuladd.f64(double, double, double) #6

; Function Attrs: noinline uwtable
define internal void @.omp_initializer..4(double* noalias noundef %0, double* noalias noundef %1) #4 {
  %3 = alloca double*, align 8
  %4 = alloca double*, align 8
  store double* %0, double** %3, align 8
  store double* %1, double** %4, align 8
  %5 = load double*, double** %4, align 8
  %6 = load double*, double** %3, align 8
  store double 0.000000e+00, double* %6, align 8
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_combiner..5(%struct.Moments* noalias noundef %0, %struct.Moments* noalias noundef %1) #4 {
  %3 = alloca %struct.Moments*, align 8
  %4 = alloca %struct.Moments*, align 8
  store %struct.Moments* %0, %struct.Moments** %3, align 8
  store %struct.Moments* %1, %struct.Moments** %4, align 8
  %5 = load %struct.Moments*, %struct.Moments** %4, align 8
  %6 = load %struct.Moments*, %struct.Moments** %3, align 8
  call void @_ZL5mergeR7MomentsRKS_(%struct.Moments* noundef nonnull align 8 dereferenceable(24) %6, %struct.Moments* noundef nonnull align 8 dereferenceable(24) %5)
  ret void
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @_ZL5mergeR7MomentsRKS_(%struct.Moments* noundef nonnull align 8 dereferenceable(24) %0, %struct.Moments* noundef nonnull align 8 dereferenceable(24) %1) #0 {
  %3 = alloca %struct.Moments*, align 8
  %4 = alloca %struct.Moments*, align 8
  %5 = alloca double, align 8
  %6 = alloca double, align 8
  store %struct.Moments* %0, %struct.Moments** %3, align 8
  store %struct.Moments* %1, %struct.Moments** %4, align 8
  %7 = load %struct.Moments*, %struct.Moments** %3, align 8
  %8 = getelementptr inbounds %struct.Moments, %struct.Moments* %7, i32 0, i32 0
  %9 = load double, double* %8, align 8
  %10 = load %struct.Moments*, %struct.Moments** %4, align 8
  %11 = getelementptr inbounds %struct.Moments, %struct.Moments* %10, i32 0, i32 0
  %12 = load double, double* %11, align 8
  %13 = fadd double %9, %12
  store double %13, double* %5, align 8
  %14 = load %struct.Moments*, %struct.Moments** %4, align 8
  %15 = getelementptr inbounds %struct.Moments, %struct.Moments* %14, i32 0, i32 1
  %16 = load double, double* %15, align 8
  %17 = load %struct.Moments*, %struct.Moments** %3, align 8
  %18 = getelementptr inbounds %struct.Moments, %struct.Moments* %17, i32 0, i32 1
  %19 = load double, double* %18, align 8
  %20 = fsub double %16, %19
  store double %20, double* %6, align 8
  %21 = load double, double* %6, align 8
  %22 = load %struct.Moments*, %struct.Moments** %4, align 8
  %23 = getelementptr inbounds %struct.Moments, %struct.Moments* %22, i32 0, i32 0
  %24 = load double, double* %23, align 8
  %25 = fmul double %21, %24
  %26 = load double, double* %5, align 8
  %27 = fdiv double %25, %26
  %28 = load %struct.Moments*, %struct.Moments** %3, align 8
  %29 = getelementptr inbounds %struct.Moments, %struct.Moments* %28, i32 0, i32 1
  %30 = load double, double* %29, align 8
  %31 = fadd double %30, %27
  store double %31, double* %29, align 8
  %32 = load %struct.Moments*, %struct.Moments** %4, align 8
  %33 = getelementptr inbounds %struct.Moments, %struct.Moments* %32, i32 0, i32 2
  %34 = load double, double* %33, align 8
  %35 = load double, double* %6, align 8
  %36 = load double, double* %6, align 8
  %37 = fmul double %35, %36
  %38 = load %struct.Moments*, %struct.Moments** %3, align 8
  %39 = getelementptr inbounds %struct.Moments, %struct.Moments* %38, i32 0, i32 0
  %40 = load double, double* %39, align 8
  %41 = fmul double %37, %40
  %42 = load %struct.Moments*, %struct.Moments** %4, align 8
  %43 = getelementptr inbounds %struct.Moments, %struct.Moments* %42, i32 0, i32 0
  %44 = load double, double* %43, align 8
  %45 = fmul double %41, %44
  %46 = load double, double* %5, align 8
  %47 = fdiv double %45, %46
  %48 = fadd double %34, %47
  %49 = load %struct.Moments*, %struct.Moments** %3, align 8
  %50 = getelementptr inbounds %struct.Moments, %struct.Moments* %49, i32 0, i32 2
  %51 = load double, double* %50, align 8
  %52 = fadd double %51, %48
  store double %52, double* %50, align 8
  %53 = load double, double* %5, align 8
  %54 = load %struct.Moments*, %struct.Moments** %3, align 8
  %55 = getelementptr inbounds %struct.Moments, %struct.Moments* %54, i32 0, i32 0
  store double %53, double* %55, align 8
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_initializer..6(%struct.Moments* noalias noundef %0, %struct.Moments* noalias noundef %1) #4 {
  %3 = alloca %struct.Moments*, align 8
  %4 = alloca %struct.Moments*, align 8
  store %struct.Moments* %0, %struct.Moments** %3, align 8
  store %struct.Moments* %1, %struct.Moments** %4, align 8
  %5 = load %struct.Moments*, %struct.Moments** %4, align 8
  %6 = load %struct.Moments*, %struct.Moments** %3, align 8
  %7 = bitcast %struct.Moments* %6 to i8*
  call void @llvm.memset.p0i8.i64(i8* align 8 %7, i8 0, i64 24, i1 false)
  ret void
}

declare void @__kmpc_for_static_init_4(%struct.ident_t*, i32, i32, i32*, i32*, i32*, i32*, i32, i32)

; Function Attrs: nounwind
declare void @__kmpc_for_static_fini(%struct.ident_t*, i32) #7

; Function Attrs: noinline norecurse uwtable
define internal void @.omp.reduction.reduction_func(i8* noundef %0, i8* noundef %1) #8 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to [4 x i8*]*
  %7 = load i8*, i8** %4, align 8
  %8 = bitcast i8* %7 to [4 x i8*]*
  %9 = getelementptr inbounds [4 x i8*], [4 x i8*]* %8, i64 0, i64 0
  %10 = load i8*, i8** %9, align 8
  %11 = bitcast i8* %10 to %struct.Least*
  %12 = getelementptr inbounds [4 x i8*], [4 x i8*]* %6, i64 0, i64 0
  %13 = load i8*, i8** %12, align 8
  %14 = bitcast i8* %13 to %struct.Least*
  %15 = getelementptr inbounds [4 x i8*], [4 x i8*]* %8, i64 0, i64 1
  %16 = load i8*, i8** %15, align 8
  %17 = bitcast i8* %16 to i32*
  %18 = getelementptr inbounds [4 x i8*], [4 x i8*]* %6, i64 0, i64 1
  %19 = load i8*, i8** %18, align 8
  %20 = bitcast i8* %19 to i32*
  %21 = getelementptr inbounds [4 x i8*], [4 x i8*]* %8, i64 0, i64 2
  %22 = load i8*, i8** %21, align 8
  %23 = bitcast i8* %22 to double*
  %24 = getelementptr inbounds [4 x i8*], [4 x i8*]* %6, i64 0, i64 2
  %25 = load i8*, i8** %24, align 8
  %26 = bitcast i8* %25 to double*
  %27 = getelementptr inbounds [4 x i8*], [4 x i8*]* %8, i64 0, i64 3
  %28 = load i8*, i8** %27, align 8
  %29 = bitcast i8* %28 to %struct.Moments*
  %30 = getelementptr inbounds [4 x i8*], [4 x i8*]* %6, i64 0, i64 3
  %31 = load i8*, i8** %30, align 8
  %32 = bitcast i8* %31 to %struct.Moments*
  call void @.omp_combiner.(%struct.Least* noundef %14, %struct.Least* noundef %11)
  call void @.omp_combiner..1(i32* noundef %20, i32* noundef %17)
  call void @.omp_combiner..3(double* noundef %26, double* noundef %23)
  call void @.omp_combiner..5(%struct.Moments* noundef %32, %struct.Moments* noundef %29)
  ret void
}

; Function Attrs: convergent nounwind
declare i32 @__kmpc_reduce_nowait(%struct.ident_t*, i32, i32, i64, i8*, void (i8*, i8*)*, [8 x i32]*) #9

; Function Attrs: convergent nounwind
declare void @__kmpc_end_reduce_nowait(%struct.ident_t*, i32, [8 x i32]*) #9

; Function Attrs: convergent nounwind
declare void @__kmpc_critical(%struct.ident_t*, i32, [8 x i32]*) #9

; Function Attrs: convergent nounwind
declare void @__kmpc_end_critical(%struct.ident_t*, i32, [8 x i32]*) #9

; Function Attrs: nounwind
declare !callback !7 void @__kmpc_fork_call(%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) #7

; Function Attrs: mustprogress noinline optnone uwtable
define dso_local noundef i32 @_Z7lambdasPKii(i32* noundef %0, i32 noundef %1) #10 {
  %3 = alloca i32*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %class.anon, align 1
  %6 = alloca %class.anon.0, align 1
  store i32* %0, i32** %3, align 8
  store i32 %1, i32* %4, align 4
  %7 = load i32*, i32** %3, align 8
  %8 = load i32, i32* %4, align 4
  %9 = call noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_0EiS1_iT_"(i32* noundef %7, i32 noundef %8)
  %10 = load i32*, i32** %3, align 8
  %11 = load i32, i32* %4, align 4
  %12 = call noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_1EiS1_iT_"(i32* noundef %10, i32 noundef %11)
  %13 = add nsw i32 %9, %12
  ret i32 %13
}

; Function Attrs: mustprogress noinline optnone uwtable
define internal noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_0EiS1_iT_"(i32* noundef %0, i32 noundef %1) #10 {
  %3 = alloca %class.anon, align 1
  %4 = alloca i32*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32* %0, i32** %4, align 8
  store i32 %1, i32* %5, align 4
  %8 = load i32*, i32** %4, align 8
  %9 = getelementptr inbounds i32, i32* %8, i64 0
  %10 = load i32, i32* %9, align 4
  store i32 %10, i32* %6, align 4
  store i32 1, i32* %7, align 4
  br label %11

11:                                               ; preds = %23, %2
  %12 = load i32, i32* %7, align 4
  %13 = load i32, i32* %5, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %26

15:                                               ; preds = %11
  %16 = load i32, i32* %6, align 4
  %17 = load i32*, i32** %4, align 8
  %18 = load i32, i32* %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, i32* %17, i64 %19
  %21 = load i32, i32* %20, align 4
  %22 = call noundef i32 @"_ZZ7lambdasPKiiENK3$_0clEii"(%class.anon* noundef nonnull align 1 dereferenceable(1) %3, i32 noundef %16, i32 noundef %21)
  store i32 %22, i32* %6, align 4
  br label %23

23:                                               ; preds = %15
  %24 = load i32, i32* %7, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, i32* %7, align 4
  br label %11, !llvm.loop !9

26:                                               ; preds = %11
  %27 = load i32, i32* %6, align 4
  ret i32 %27
}

; Function Attrs: mustprogress noinline optnone uwtable
define internal noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_1EiS1_iT_"(i32* noundef %0, i32 noundef %1) #10 {
  %3 = alloca %class.anon.0, align 1
  %4 = alloca i32*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32* %0, i32** %4, align 8
  store i32 %1, i32* %5, align 4
  %8 = load i32*, i32** %4, align 8
  %9 = getelementptr inbounds i32, i32* %8, i64 0
  %10 = load i32, i32* %9, align 4
  store i32 %10, i32* %6, align 4
  store i32 1, i32* %7, align 4
  br label %11

11:                                               ; preds = %23, %2
  %12 = load i32, i32* %7, align 4
  %13 = load i32, i32* %5, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %26

15:                                               ; preds = %11
  %16 = load i32, i32* %6, align 4
  %17 = load i32*, i32** %4, align 8
  %18 = load i32, i32* %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, i32* %17, i64 %19
  %21 = load i32, i32* %20, align 4
  %22 = call noundef i32 @"_ZZ7lambdasPKiiENK3$_1clEii"(%class.anon.0* noundef nonnull align 1 dereferenceable(1) %3, i32 noundef %16, i32 noundef %21)
  store i32 %22, i32* %6, align 4
  br label %23

23:                                               ; preds = %15
  %24 = load i32, i32* %7, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, i32* %7, align 4
  br label %11, !llvm.loop !11

26:                                               ; preds = %11
  %27 = load i32, i32* %6, align 4
  ret i32 %27
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal noundef i32 @"_ZZ7lambdasPKiiENK3$_0clEii"(%class.anon* noundef nonnull align 1 dereferenceable(1) %0, i32 noundef %1, i32 noundef %2) #0 align 2 {
  %4 = alloca %class.anon*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %class.anon* %0, %class.anon** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load %class.anon*, %class.anon** %4, align 8
  %8 = load i32, i32* %5, align 4
  %9 = load i32, i32* %6, align 4
  %10 = icmp sgt i32 %8, %9
  br i1 %10, label %11, label %13

11:                                               ; preds = %3
  %12 = load i32, i32* %5, align 4
  br label %15

13:                                               ; preds = %3
  %14 = load i32, i32* %6, align 4
  br label %15

15:                                               ; preds = %13, %11
  %16 = phi i32 [ %12, %11 ], [ %14, %13 ]
  ret i32 %16
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal noundef i32 @"_ZZ7lambdasPKiiENK3$_1clEii"(%class.anon.0* noundef nonnull align 1 dereferenceable(1) %0, i32 noundef %1, i32 noundef %2) #0 align 2 {
  %4 = alloca %class.anon.0*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %class.anon.0* %0, %class.anon.0** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load %class.anon.0*, %class.anon.0** %4, align 8
  %8 = load i32, i32* %5, align 4
  %9 = load i32, i32* %6, align 4
  %10 = sub nsw i32 %8, %9
  ret i32 %10
}

; Function Attrs: mustprogress noinline optnone uwtable
define dso_local noundef i32 @_Z7functorPKhi(i8* noundef %0, i32 noundef %1) #10 {
  %3 = alloca i8*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %struct.Saturating, align 1
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  store i8* %0, i8** %3, align 8
  store i32 %1, i32* %4, align 4
  store i8 0, i8* %6, align 1
  store i32 0, i32* %7, align 4
  br label %8

8:                                                ; preds = %20, %2
  %9 = load i32, i32* %7, align 4
  %10 = load i32, i32* %4, align 4
  %11 = icmp slt i32 %9, %10
  br i1 %11, label %12, label %23

12:                                               ; preds = %8
  %13 = load i8, i8* %6, align 1
  %14 = load i8*, i8** %3, align 8
  %15 = load i32, i32* %7, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i8, i8* %14, i64 %16
  %18 = load i8, i8* %17, align 1
  %19 = call noundef zeroext i8 @_ZNK10SaturatingclEhh(%struct.Saturating* noundef nonnull align 1 dereferenceable(1) %5, i8 noundef zeroext %13, i8 noundef zeroext %18)
  store i8 %19, i8* %6, align 1
  br label %20

20:                                               ; preds = %12
  %21 = load i32, i32* %7, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, i32* %7, align 4
  br label %8, !llvm.loop !12

23:                                               ; preds = %8
  %24 = load i8, i8* %6, align 1
  %25 = zext i8 %24 to i32
  ret i32 %25
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local noundef zeroext i8 @_ZNK10SaturatingclEhh(%struct.Saturating* noundef nonnull align 1 dereferenceable(1) %0, i8 noundef zeroext %1, i8 noundef zeroext %2) #0 comdat align 2 {
  %4 = alloca %struct.Saturating*, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  store %struct.Saturating* %0, %struct.Saturating** %4, align 8
  store i8 %1, i8* %5, align 1
  store i8 %2, i8* %6, align 1
  %8 = load %struct.Saturating*, %struct.Saturating** %4, align 8
  %9 = load i8, i8* %5, align 1
  %10 = zext i8 %9 to i32
  %11 = load i8, i8* %6, align 1
  %12 = zext i8 %11 to i32
  %13 = add nsw i32 %10, %12
  store i32 %13, i32* %7, align 4
  %14 = load i32, i32* %7, align 4
  %15 = icmp sgt i32 %14, 255
  br i1 %15, label %16, label %17

16:                                               ; preds = %3
  br label %19

17:                                               ; preds = %3
  %18 = load i32, i32* %7, align 4
  br label %19

19:                                               ; preds = %17, %16
  %20 = phi i32 [ 255, %16 ], [ %18, %17 ]
  %21 = trunc i32 %20 to i8
  ret i8 %21
}

attributes #0 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { argmemonly nofree nounwind willreturn }
attributes #2 = { argmemonly nofree nounwind willreturn writeonly }
attributes #3 = { noinline norecurse nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noinline uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { noinline noreturn nounwind }
attributes #6 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #7 = { nounwind }
attributes #8 = { noinline norecurse uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { convergent nounwind }
attributes #10 = { mustprogress noinline optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #11 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5}
!llvm.ident = !{!6}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"openmp", i32 50}
!2 = !{i32 7, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
!4 = !{i32 7, !"uwtable", i32 1}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{!"Debian clang version 14.0.6"}
!7 = !{!8}
!8 = !{i64 2, i64 -1, i64 -1, i1 true}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = distinct !{!11, !10}
!12 = distinct !{!12, !10}
