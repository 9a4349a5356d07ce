; ModuleID = 'combiners.cc'
source_filename = "combiners.cc"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.Least = type { i32, i32 }
%struct.ident_t = type { i32, i32, i32, i32, ptr }
%struct.Moments = type { double, double, double }
%class.anon = type { i8 }
%class.anon.0 = type { i8 }
%struct.Saturating = type { i8 }

$__clang_call_terminate = comdat any

$_ZNK10SaturatingclEhh = comdat any

@__const._Z7reducedPK5LeastPKiPKdP7Momentsi.l = private unnamed_addr constant %struct.Least { i32 2147483647, i32 0 }, align 4
@0 = private unnamed_addr constant [23 x i8] c";unknown;unknown;0;0;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 22, ptr @0 }, align 8
@.gomp_critical_user_.reduction.var = common global [8 x i32] zeroinitializer, align 8
@2 = private unnamed_addr constant %struct.ident_t { i32 0, i32 18, i32 0, i32 22, ptr @0 }, align 8
@3 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 22, ptr @0 }, align 8
@.gomp_critical_user_.atomic_reduction.var = common global [8 x i32] zeroinitializer, align 8

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define dso_local noundef i32 @_Z7reducedPK5LeastPKiPKdP7Momentsi(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4) #0 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca i32, align 4
  %11 = alloca %struct.Least, align 4
  %12 = alloca i32, align 4
  %13 = alloca double, align 8
  %14 = alloca %struct.Moments, align 8
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store ptr %2, ptr %8, align 8
  store ptr %3, ptr %9, align 8
  store i32 %4, ptr %10, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %11, ptr align 4 @__const._Z7reducedPK5LeastPKiPKdP7Momentsi.l, i64 8, i1 false)
  store i32 0, ptr %12, align 4
  store double 0.000000e+00, ptr %13, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %14, i8 0, i64 24, i1 false)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @3, i32 9, ptr @_Z7reducedPK5LeastPKiPKdP7Momentsi.omp_outlined, ptr %10, ptr %6, ptr %11, ptr %7, ptr %12, ptr %13, ptr %8, ptr %14, ptr %9)
  %15 = getelementptr inbounds %struct.Least, ptr %11, i32 0, i32 1
  %16 = load i32, ptr %15, align 4
  %17 = load i32, ptr %12, align 4
  %18 = add nsw i32 %16, %17
  %19 = load double, ptr %13, align 8
  %20 = fptosi double %19 to i32
  %21 = add nsw i32 %18, %20
  %22 = getelementptr inbounds %struct.Moments, ptr %14, i32 0, i32 1
  %23 = load double, ptr %22, align 8
  %24 = fptosi double %23 to i32
  %25 = add nsw i32 %21, %24
  ret i32 %25
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: noinline norecurse nounwind optnone uwtable
define internal void @_Z7reducedPK5LeastPKiPKdP7Momentsi.omp_outlined(ptr noalias noundef %0, ptr noalias noundef %1, ptr noundef nonnull align 4 dereferenceable(4) %2, ptr noundef nonnull align 8 dereferenceable(8) %3, ptr noundef nonnull align 4 dereferenceable(8) %4, ptr noundef nonnull align 8 dereferenceable(8) %5, ptr noundef nonnull align 4 dereferenceable(4) %6, ptr noundef nonnull align 8 dereferenceable(8) %7, ptr noundef nonnull align 8 dereferenceable(8) %8, ptr noundef nonnull align 8 dereferenceable(24) %9, ptr noundef nonnull align 8 dereferenceable(8) %10) #3 personality ptr @__gxx_personality_v0 {
  %12 = alloca ptr, align 8
  %13 = alloca ptr, align 8
  %14 = alloca ptr, align 8
  %15 = alloca ptr, align 8
  %16 = alloca ptr, align 8
  %17 = alloca ptr, align 8
  %18 = alloca ptr, align 8
  %19 = alloca ptr, align 8
  %20 = alloca ptr, align 8
  %21 = alloca ptr, align 8
  %22 = alloca ptr, align 8
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
  %37 = alloca [4 x ptr], align 8
  store ptr %0, ptr %12, align 8
  store ptr %1, ptr %13, align 8
  store ptr %2, ptr %14, align 8
  store ptr %3, ptr %15, align 8
  store ptr %4, ptr %16, align 8
  store ptr %5, ptr %17, align 8
  store ptr %6, ptr %18, align 8
  store ptr %7, ptr %19, align 8
  store ptr %8, ptr %20, align 8
  store ptr %9, ptr %21, align 8
  store ptr %10, ptr %22, align 8
  %38 = load ptr, ptr %14, align 8
  %39 = load ptr, ptr %15, align 8
  %40 = load ptr, ptr %16, align 8
  %41 = load ptr, ptr %17, align 8
  %42 = load ptr, ptr %18, align 8
  %43 = load ptr, ptr %19, align 8
  %44 = load ptr, ptr %20, align 8
  %45 = load ptr, ptr %21, align 8
  %46 = load ptr, ptr %22, align 8
  %47 = load i32, ptr %38, align 4
  store i32 %47, ptr %25, align 4
  %48 = load i32, ptr %25, align 4
  %49 = sub nsw i32 %48, 0
  %50 = sdiv i32 %49, 1
  %51 = sub nsw i32 %50, 1
  store i32 %51, ptr %26, align 4
  store i32 0, ptr %27, align 4
  %52 = load i32, ptr %25, align 4
  %53 = icmp slt i32 0, %52
  br i1 %53, label %54, label %155

54:                                               ; preds = %11
  store i32 0, ptr %28, align 4
  %55 = load i32, ptr %26, align 4
  store i32 %55, ptr %29, align 4
  store i32 1, ptr %30, align 4
  store i32 0, ptr %31, align 4
  invoke void @.omp_initializer.(ptr noundef %32, ptr noundef %40)
          to label %56 unwind label %156

56:                                               ; preds = %54
  invoke void @.omp_initializer..2(ptr noundef %33, ptr noundef %42)
          to label %57 unwind label %156

57:                                               ; preds = %56
  invoke void @.omp_initializer..4(ptr noundef %34, ptr noundef %43)
          to label %58 unwind label %156

58:                                               ; preds = %57
  invoke void @.omp_initializer..6(ptr noundef %35, ptr noundef %45)
          to label %59 unwind label %156

59:                                               ; preds = %58
  %60 = load ptr, ptr %12, align 8
  %61 = load i32, ptr %60, align 4
  call void @__kmpc_for_static_init_4(ptr @1, i32 %61, i32 34, ptr %31, ptr %28, ptr %29, ptr %30, i32 1, i32 1)
  %62 = load i32, ptr %29, align 4
  %63 = load i32, ptr %26, align 4
  %64 = icmp sgt i32 %62, %63
  br i1 %64, label %65, label %67

65:                                               ; preds = %59
  %66 = load i32, ptr %26, align 4
  br label %69

67:                                               ; preds = %59
  %68 = load i32, ptr %29, align 4
  br label %69

69:                                               ; preds = %67, %65
  %70 = phi i32 [ %66, %65 ], [ %68, %67 ]
  store i32 %70, ptr %29, align 4
  %71 = load i32, ptr %28, align 4
  store i32 %71, ptr %23, align 4
  br label %72

72:                                               ; preds = %122, %69
  %73 = load i32, ptr %23, align 4
  %74 = load i32, ptr %29, align 4
  %75 = icmp sle i32 %73, %74
  br i1 %75, label %76, label %125

76:                                               ; preds = %72
  %77 = load i32, ptr %23, align 4
  %78 = mul nsw i32 %77, 1
  %79 = add nsw i32 0, %78
  store i32 %79, ptr %36, align 4
  %80 = load ptr, ptr %39, align 8
  %81 = load i32, ptr %36, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds %struct.Least, ptr %80, i64 %82
  %84 = getelementptr inbounds %struct.Least, ptr %83, i32 0, i32 0
  %85 = load i32, ptr %84, align 4
  %86 = getelementptr inbounds %struct.Least, ptr %32, i32 0, i32 0
  %87 = load i32, ptr %86, align 4
  %88 = icmp slt i32 %85, %87
  br i1 %88, label %89, label %94

89:                                               ; preds = %76
  %90 = load ptr, ptr %39, align 8
  %91 = load i32, ptr %36, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds %struct.Least, ptr %90, i64 %92
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %32, ptr align 4 %93, i64 8, i1 false)
  br label %94

94:                                               ; preds = %89, %76
  %95 = load ptr, ptr %41, align 8
  %96 = load i32, ptr %36, align 4
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds i32, ptr %95, i64 %97
  %99 = load i32, ptr %98, align 4
  %100 = load i32, ptr %33, align 4
  %101 = icmp sgt i32 %99, %100
  br i1 %101, label %102, label %108

102:                                              ; preds = %94
  %103 = load ptr, ptr %41, align 8
  %104 = load i32, ptr %36, align 4
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds i32, ptr %103, i64 %105
  %107 = load i32, ptr %106, align 4
  store i32 %107, ptr %33, align 4
  br label %108

108:                                              ; preds = %102, %94
  %109 = load ptr, ptr %44, align 8
  %110 = load i32, ptr %36, align 4
  %111 = sext i32 %110 to i64
  %112 = getelementptr inbounds double, ptr %109, i64 %111
  %113 = load double, ptr %112, align 8
  %114 = load double, ptr %34, align 8
  %115 = fadd double %114, %113
  store double %115, ptr %34, align 8
  %116 = load ptr, ptr %46, align 8
  %117 = load i32, ptr %36, align 4
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds %struct.Moments, ptr %116, i64 %118
  invoke void @_ZL5mergeR7MomentsRKS_(ptr noundef nonnull align 8 dereferenceable(24) %35, ptr noundef nonnull align 8 dereferenceable(24) %119)
          to label %120 unwind label %156

120:                                              ; preds = %108
  br label %121

121:                                              ; preds = %120
  br label %122

122:                                              ; preds = %121
  %123 = load i32, ptr %23, align 4
  %124 = add nsw i32 %123, 1
  store i32 %124, ptr %23, align 4
  br label %72

125:                                              ; preds = %72
  br label %126

126:                                              ; preds = %125
  %127 = load ptr, ptr %12, align 8
  %128 = load i32, ptr %127, align 4
  call void @__kmpc_for_static_fini(ptr @1, i32 %128)
  %129 = getelementptr inbounds [4 x ptr], ptr %37, i64 0, i64 0
  store ptr %32, ptr %129, align 8
  %130 = getelementptr inbounds [4 x ptr], ptr %37, i64 0, i64 1
  store ptr %33, ptr %130, align 8
  %131 = getelementptr inbounds [4 x ptr], ptr %37, i64 0, i64 2
  store ptr %34, ptr %131, align 8
  %132 = getelementptr inbounds [4 x ptr], ptr %37, i64 0, i64 3
  store ptr %35, ptr %132, align 8
  %133 = load ptr, ptr %12, align 8
  %134 = load i32, ptr %133, align 4
  %135 = call i32 @__kmpc_reduce_nowait(ptr @2, i32 %134, i32 4, i64 32, ptr %37, ptr @_Z7reducedPK5LeastPKiPKdP7Momentsi.omp_outlined.omp.reduction.reduction_func, ptr @.gomp_critical_user_.reduction.var)
  switch i32 %135, label %154 [
    i32 1, label %136
    i32 2, label %141
  ]

136:                                              ; preds = %126
  invoke void @.omp_combiner.(ptr noundef %40, ptr noundef %32)
          to label %137 unwind label %156

137:                                              ; preds = %136
  invoke void @.omp_combiner..1(ptr noundef %42, ptr noundef %33)
          to label %138 unwind label %156

138:                                              ; preds = %137
  invoke void @.omp_combiner..3(ptr noundef %43, ptr noundef %34)
          to label %139 unwind label %156

139:                                              ; preds = %138
  invoke void @.omp_combiner..5(ptr noundef %45, ptr noundef %35)
          to label %140 unwind label %156

140:                                              ; preds = %139
  call void @__kmpc_end_reduce_nowait(ptr @2, i32 %134, ptr @.gomp_critical_user_.reduction.var)
  br label %154

141:                                              ; preds = %126
  %142 = load ptr, ptr %12, align 8
  %143 = load i32, ptr %142, align 4
  call void @__kmpc_critical(ptr @3, i32 %143, ptr @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner.(ptr noundef %40, ptr noundef %32)
          to label %144 unwind label %156

144:                                              ; preds = %141
  call void @__kmpc_end_critical(ptr @3, i32 %143, ptr @.gomp_critical_user_.atomic_reduction.var)
  %145 = load ptr, ptr %12, align 8
  %146 = load i32, ptr %145, align 4
  call void @__kmpc_critical(ptr @3, i32 %146, ptr @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner..1(ptr noundef %42, ptr noundef %33)
          to label %147 unwind label %156

147:                                              ; preds = %144
  call void @__kmpc_end_critical(ptr @3, i32 %146, ptr @.gomp_critical_user_.atomic_reduction.var)
  %148 = load ptr, ptr %12, align 8
  %149 = load i32, ptr %148, align 4
  call void @__kmpc_critical(ptr @3, i32 %149, ptr @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner..3(ptr noundef %43, ptr noundef %34)
          to label %150 unwind label %156

150:                                              ; preds = %147
  call void @__kmpc_end_critical(ptr @3, i32 %149, ptr @.gomp_critical_user_.atomic_reduction.var)
  %151 = load ptr, ptr %12, align 8
  %152 = load i32, ptr %151, align 4
  call void @__kmpc_critical(ptr @3, i32 %152, ptr @.gomp_critical_user_.atomic_reduction.var)
  invoke void @.omp_combiner..5(ptr noundef %45, ptr noundef %35)
          to label %153 unwind label %156

153:                                              ; preds = %150
  call void @__kmpc_end_critical(ptr @3, i32 %152, ptr @.gomp_critical_user_.atomic_reduction.var)
  br label %154

154:                                              ; preds = %153, %140, %126
  br label %155

155:                                              ; preds = %154, %11
  ret void

156:                                              ; preds = %150, %147, %144, %141, %139, %138, %137, %136, %108, %58, %57, %56, %54
  %157 = landingpad { ptr, i32 }
          catch ptr null
  %158 = extractvalue { ptr, i32 } %157, 0
  call void @__clang_call_terminate(ptr %158) #11
  unreachable
}

; Function Attrs: noinline uwtable
define internal void @.omp_combiner.(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  %7 = getelementptr inbounds %struct.Least, ptr %5, i32 0, i32 0
  %8 = load i32, ptr %7, align 4
  %9 = getelementptr inbounds %struct.Least, ptr %6, i32 0, i32 0
  %10 = load i32, ptr %9, align 4
  %11 = icmp slt i32 %8, %10
  br i1 %11, label %12, label %13

12:                                               ; preds = %2
  br label %14

13:                                               ; preds = %2
  br label %14

14:                                               ; preds = %13, %12
  %15 = phi ptr [ %5, %12 ], [ %6, %13 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %6, ptr align 4 %15, i64 8, i1 false)
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_initializer.(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  %7 = getelementptr inbounds %struct.Least, ptr %6, i32 0, i32 0
  store i32 2147483647, ptr %7, align 4
  %8 = getelementptr inbounds %struct.Least, ptr %6, i32 0, i32 1
  store i32 0, ptr %8, align 4
  ret void
}

declare i32 @__gxx_personality_v0(...)

; Function Attrs: noinline noreturn nounwind uwtable
define linkonce_odr hidden void @__clang_call_terminate(ptr noundef %0) #5 comdat {
  %2 = call ptr @__cxa_begin_catch(ptr %0) #7
  call void @_ZSt9terminatev() #11
  unreachable
}

declare ptr @__cxa_begin_catch(ptr)

declare void @_ZSt9terminatev()

; Function Attrs: noinline uwtable
define internal void @.omp_combiner..1(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  %7 = load i32, ptr %5, align 4
  %8 = load i32, ptr %6, align 4
  %9 = icmp sgt i32 %7, %8
  br i1 %9, label %10, label %12

10:                                               ; preds = %2
  %11 = load i32, ptr %5, align 4
  br label %14

12:                                               ; preds = %2
  %13 = load i32, ptr %6, align 4
  br label %14

14:                                               ; preds = %12, %10
  %15 = phi i32 [ %11, %10 ], [ %13, %12 ]
  store i32 %15, ptr %6, align 4
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_initializer..2(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  store i32 0, ptr %6, align 4
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_combiner..3(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  %7 = load double, ptr %5, align 8
  %8 = load double, ptr %5, align 8
  %9 = load double, ptr %6, align 8
  %10 = call double @llvm.fmuladd.f64(double %7, double %8, double %9)
  store double %10, ptr %6, align 8
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #6

; Function Attrs: noinline uwtable
define internal void @.omp_initializer..4(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  store double 0.000000e+00, ptr %6, align 8
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_combiner..5(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  call void @_ZL5mergeR7MomentsRKS_(ptr noundef nonnull align 8 dereferenceable(24) %6, ptr noundef nonnull align 8 dereferenceable(24) %5)
  ret void
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @_ZL5mergeR7MomentsRKS_(ptr noundef nonnull align 8 dereferenceable(24) %0, ptr noundef nonnull align 8 dereferenceable(24) %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca double, align 8
  %6 = alloca double, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load ptr, ptr %3, align 8
  %8 = getelementptr inbounds %struct.Moments, ptr %7, i32 0, i32 0
  %9 = load double, ptr %8, align 8
  %10 = load ptr, ptr %4, align 8
  %11 = getelementptr inbounds %struct.Moments, ptr %10, i32 0, i32 0
  %12 = load double, ptr %11, align 8
  %13 = fadd double %9, %12
  store double %13, ptr %5, align 8
  %14 = load ptr, ptr %4, align 8
  %15 = getelementptr inbounds %struct.Moments, ptr %14, i32 0, i32 1
  %16 = load double, ptr %15, align 8
  %17 = load ptr, ptr %3, align 8
  %18 = getelementptr inbounds %struct.Moments, ptr %17, i32 0, i32 1
  %19 = load double, ptr %18, align 8
  %20 = fsub double %16, %19
  store double %20, ptr %6, align 8
  %21 = load double, ptr %6, align 8
  %22 = load ptr, ptr %4, align 8
  %23 = getelementptr inbounds %struct.Moments, ptr %22, i32 0, i32 0
  %24 = load double, ptr %23, align 8
  %25 = fmul double %21, %24
  %26 = load double, ptr %5, align 8
  %27 = fdiv double %25, %26
  %28 = load ptr, ptr %3, align 8
  %29 = getelementptr inbounds %struct.Moments, ptr %28, i32 0, i32 1
  %30 = load double, ptr %29, align 8
  %31 = fadd double %30, %27
  store double %31, ptr %29, align 8
  %32 = load ptr, ptr %4, align 8
  %33 = getelementptr inbounds %struct.Moments, ptr %32, i32 0, i32 2
  %34 = load double, ptr %33, align 8
  %35 = load double, ptr %6, align 8
  %36 = load double, ptr %6, align 8
  %37 = fmul double %35, %36
  %38 = load ptr, ptr %3, align 8
  %39 = getelementptr inbounds %struct.Moments, ptr %38, i32 0, i32 0
  %40 = load double, ptr %39, align 8
  %41 = fmul double %37, %40
  %42 = load ptr, ptr %4, align 8
  %43 = getelementptr inbounds %struct.Moments, ptr %42, i32 0, i32 0
  %44 = load double, ptr %43, align 8
  %45 = fmul double %41, %44
  %46 = load double, ptr %5, align 8
  %47 = fdiv double %45, %46
  %48 = fadd double %34, %47
  %49 = load ptr, ptr %3, align 8
  %50 = getelementptr inbounds %struct.Moments, ptr %49, i32 0, i32 2
  %51 = load double, ptr %50, align 8
  %52 = fadd double %51, %48
  store double %52, ptr %50, align 8
  %53 = load double, ptr %5, align 8
  %54 = load ptr, ptr %3, align 8
  %55 = getelementptr inbounds %struct.Moments, ptr %54, i32 0, i32 0
  store double %53, ptr %55, align 8
  ret void
}

; Function Attrs: noinline uwtable
define internal void @.omp_initializer..6(ptr noalias noundef %0, ptr noalias noundef %1) #4 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %6, i8 0, i64 24, i1 false)
  %7 = getelementptr inbounds %struct.Moments, ptr %6, i32 0, i32 0
  %8 = getelementptr inbounds %struct.Moments, ptr %6, i32 0, i32 1
  %9 = getelementptr inbounds %struct.Moments, ptr %6, i32 0, i32 2
  ret void
}

; Function Attrs: nounwind
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32) #7

; Function Attrs: nounwind
declare void @__kmpc_for_static_fini(ptr, i32) #7

; Function Attrs: noinline norecurse uwtable
define internal void @_Z7reducedPK5LeastPKiPKdP7Momentsi.omp_outlined.omp.reduction.reduction_func(ptr noundef %0, ptr noundef %1) #8 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8
  %6 = load ptr, ptr %4, align 8
  %7 = getelementptr inbounds [4 x ptr], ptr %6, i64 0, i64 0
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds [4 x ptr], ptr %5, i64 0, i64 0
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds [4 x ptr], ptr %6, i64 0, i64 1
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds [4 x ptr], ptr %5, i64 0, i64 1
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds [4 x ptr], ptr %6, i64 0, i64 2
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds [4 x ptr], ptr %5, i64 0, i64 2
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds [4 x ptr], ptr %6, i64 0, i64 3
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds [4 x ptr], ptr %5, i64 0, i64 3
  %22 = load ptr, ptr %21, align 8
  call void @.omp_combiner.(ptr noundef %10, ptr noundef %8)
  call void @.omp_combiner..1(ptr noundef %14, ptr noundef %12)
  call void @.omp_combiner..3(ptr noundef %18, ptr noundef %16)
  call void @.omp_combiner..5(ptr noundef %22, ptr noundef %20)
  ret void
}

; Function Attrs: convergent nounwind
declare i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr) #9

; Function Attrs: convergent nounwind
declare void @__kmpc_end_reduce_nowait(ptr, i32, ptr) #9

; Function Attrs: convergent nounwind
declare void @__kmpc_critical(ptr, i32, ptr) #9

; Function Attrs: convergent nounwind
declare void @__kmpc_end_critical(ptr, i32, ptr) #9

; Function Attrs: nounwind
declare !callback !7 void @__kmpc_fork_call(ptr, i32, ptr, ...) #7

; Function Attrs: mustprogress noinline optnone uwtable
define dso_local noundef i32 @_Z7lambdasPKii(ptr noundef %0, i32 noundef %1) #10 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca %class.anon, align 1
  %6 = alloca %class.anon.0, align 1
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %7 = load ptr, ptr %3, align 8
  %8 = load i32, ptr %4, align 4
  %9 = call noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_0EiS1_iT_"(ptr noundef %7, i32 noundef %8)
  %10 = load ptr, ptr %3, align 8
  %11 = load i32, ptr %4, align 4
  %12 = call noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_1EiS1_iT_"(ptr noundef %10, i32 noundef %11)
  %13 = add nsw i32 %9, %12
  ret i32 %13
}

; Function Attrs: mustprogress noinline optnone uwtable
define internal noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_0EiS1_iT_"(ptr noundef %0, i32 noundef %1) #10 {
  %3 = alloca %class.anon, align 1
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  %8 = load ptr, ptr %4, align 8
  %9 = getelementptr inbounds i32, ptr %8, i64 0
  %10 = load i32, ptr %9, align 4
  store i32 %10, ptr %6, align 4
  store i32 1, ptr %7, align 4
  br label %11

11:                                               ; preds = %23, %2
  %12 = load i32, ptr %7, align 4
  %13 = load i32, ptr %5, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %26

15:                                               ; preds = %11
  %16 = load i32, ptr %6, align 4
  %17 = load ptr, ptr %4, align 8
  %18 = load i32, ptr %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = call noundef i32 @"_ZZ7lambdasPKiiENK3$_0clEii"(ptr noundef nonnull align 1 dereferenceable(1) %3, i32 noundef %16, i32 noundef %21)
  store i32 %22, ptr %6, align 4
  br label %23

23:                                               ; preds = %15
  %24 = load i32, ptr %7, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %7, align 4
  br label %11, !llvm.loop !9

26:                                               ; preds = %11
  %27 = load i32, ptr %6, align 4
  ret i32 %27
}

; Function Attrs: mustprogress noinline optnone uwtable
define internal noundef i32 @"_Z6foldedIZ7lambdasPKiiE3$_1EiS1_iT_"(ptr noundef %0, i32 noundef %1) #10 {
  %3 = alloca %class.anon.0, align 1
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  %8 = load ptr, ptr %4, align 8
  %9 = getelementptr inbounds i32, ptr %8, i64 0
  %10 = load i32, ptr %9, align 4
  store i32 %10, ptr %6, align 4
  store i32 1, ptr %7, align 4
  br label %11

11:                                               ; preds = %23, %2
  %12 = load i32, ptr %7, align 4
  %13 = load i32, ptr %5, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %26

15:                                               ; preds = %11
  %16 = load i32, ptr %6, align 4
  %17 = load ptr, ptr %4, align 8
  %18 = load i32, ptr %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = call noundef i32 @"_ZZ7lambdasPKiiENK3$_1clEii"(ptr noundef nonnull align 1 dereferenceable(1) %3, i32 noundef %16, i32 noundef %21)
  store i32 %22, ptr %6, align 4
  br label %23

23:                                               ; preds = %15
  %24 = load i32, ptr %7, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %7, align 4
  br label %11, !llvm.loop !11

26:                                               ; preds = %11
  %27 = load i32, ptr %6, align 4
  ret i32 %27
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal noundef i32 @"_ZZ7lambdasPKiiENK3$_0clEii"(ptr noundef nonnull align 1 dereferenceable(1) %0, i32 noundef %1, i32 noundef %2) #0 align 2 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8
  %8 = load i32, ptr %5, align 4
  %9 = load i32, ptr %6, align 4
  %10 = icmp sgt i32 %8, %9
  br i1 %10, label %11, label %13

11:                                               ; preds = %3
  %12 = load i32, ptr %5, align 4
  br label %15

13:                                               ; preds = %3
  %14 = load i32, ptr %6, align 4
  br label %15

15:                                               ; preds = %13, %11
  %16 = phi i32 [ %12, %11 ], [ %14, %13 ]
  ret i32 %16
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal noundef i32 @"_ZZ7lambdasPKiiENK3$_1clEii"(ptr noundef nonnull align 1 dereferenceable(1) %0, i32 noundef %1, i32 noundef %2) #0 align 2 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %7 = load ptr, ptr %4, align 8
  %8 = load i32, ptr %5, align 4
  %9 = load i32, ptr %6, align 4
  %10 = sub nsw i32 %8, %9
  ret i32 %10
}

; Function Attrs: mustprogress noinline optnone uwtable
define dso_local noundef i32 @_Z7functorPKhi(ptr noundef %0, i32 noundef %1) #10 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca %struct.Saturating, align 1
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i8 0, ptr %6, align 1
  store i32 0, ptr %7, align 4
  br label %8

8:                                                ; preds = %20, %2
  %9 = load i32, ptr %7, align 4
  %10 = load i32, ptr %4, align 4
  %11 = icmp slt i32 %9, %10
  br i1 %11, label %12, label %23

12:                                               ; preds = %8
  %13 = load i8, ptr %6, align 1
  %14 = load ptr, ptr %3, align 8
  %15 = load i32, ptr %7, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %14, i64 %16
  %18 = load i8, ptr %17, align 1
  %19 = call noundef zeroext i8 @_ZNK10SaturatingclEhh(ptr noundef nonnull align 1 dereferenceable(1) %5, i8 noundef zeroext %13, i8 noundef zeroext %18)
  store i8 %19, ptr %6, align 1
  br label %20

20:                                               ; preds = %12
  %21 = load i32, ptr %7, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %7, align 4
  br label %8, !llvm.loop !12

23:                                               ; preds = %8
  %24 = load i8, ptr %6, align 1
  %25 = zext i8 %24 to i32
  ret i32 %25
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local noundef zeroext i8 @_ZNK10SaturatingclEhh(ptr noundef nonnull align 1 dereferenceable(1) %0, i8 noundef zeroext %1, i8 noundef zeroext %2) #0 comdat align 2 {
  %4 = alloca ptr, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i8 %1, ptr %5, align 1
  store i8 %2, ptr %6, align 1
  %8 = load ptr, ptr %4, align 8
  %9 = load i8, ptr %5, align 1
  %10 = zext i8 %9 to i32
  %11 = load i8, ptr %6, align 1
  %12 = zext i8 %11 to i32
  %13 = add nsw i32 %10, %12
  store i32 %13, ptr %7, align 4
  %14 = load i32, ptr %7, align 4
  %15 = icmp sgt i32 %14, 255
  br i1 %15, label %16, label %17

16:                                               ; preds = %3
  br label %19

17:                                               ; preds = %3
  %18 = load i32, ptr %7, align 4
  br label %19

19:                                               ; preds = %17, %16
  %20 = phi i32 [ 255, %16 ], [ %18, %17 ]
  %21 = trunc i32 %20 to i8
  ret i8 %21
}

attributes #0 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { noinline norecurse nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noinline uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { noinline noreturn nounwind uwtable "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { noinline norecurse uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { convergent nounwind }
attributes #10 = { mustprogress noinline optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #11 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5}
!llvm.ident = !{!6}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"openmp", i32 51}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
!4 = !{i32 7, !"uwtable", i32 2}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!7 = !{!8}
!8 = !{i64 2, i64 -1, i64 -1, i1 true}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = distinct !{!11, !10}
!12 = distinct !{!12, !10}
