
source_filename = "lib-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable
define { i32, i32 } @affine(i32 noundef %a.0, i32 noundef %a.1, i32 noundef %b.0, i32 noundef %b.1) unnamed_addr #0 {
start:
  %_3 = mul i32 %b.0, %a.0
  %_7 = mul i32 %b.0, %a.1
  %_6 = add i32 %_7, %b.1
  %0 = insertvalue { i32, i32 } poison, i32 %_3, 0
  %1 = insertvalue { i32, i32 } %0, i32 %_6, 1
  ret { i32, i32 } %1
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read, inaccessiblemem: write) uwtable
define noundef range(i64 0, -9223372036854775808) i64 @count(ptr noalias noundef nonnull readonly align 1 captures(none) %a.0, i64 noundef range(i64 0, -9223372036854775808) %a.1, i8 noundef %0) unnamed_addr #1 personality ptr @rust_eh_personality {
start:
  %1 = icmp samesign eq i64 %a.1, 0
  br i1 %1, label %"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count17heeaf27ab7acbc1cbE.exit", label %bb8.i.i

bb8.i.i:                                          ; preds = %start, %bb8.i.i
  %i.sroa.0.0.i.i = phi i64 [ %_27.i.i, %bb8.i.i ], [ 0, %start ]
  %acc.sroa.0.0.i.i = phi i64 [ %_4.0.i.i.i.i, %bb8.i.i ], [ 0, %start ]
  %_45.i.i = getelementptr inbounds nuw i8, ptr %a.0, i64 %i.sroa.0.0.i.i
  %_45.val.i.i = load i8, ptr %_45.i.i, align 1, !alias.scope !3, !noalias !6, !noundef !11
  %_0.i.i.i.i.i = icmp eq i8 %_45.val.i.i, %0
  %_0.i.i.i.i = zext i1 %_0.i.i.i.i.i to i64
  %_4.0.i.i.i.i = add i64 %acc.sroa.0.0.i.i, %_0.i.i.i.i
  %_27.i.i = add nuw nsw i64 %i.sroa.0.0.i.i, 1
  %_28.i.i = icmp eq i64 %_27.i.i, %a.1
  br i1 %_28.i.i, label %"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count17heeaf27ab7acbc1cbE.exit", label %bb8.i.i

"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count17heeaf27ab7acbc1cbE.exit": ; preds = %bb8.i.i, %start
  %_0.sroa.0.0.i.i = phi i64 [ 0, %start ], [ %_4.0.i.i.i.i, %bb8.i.i ]
  %cond.i.i = icmp ule i64 %_0.sroa.0.0.i.i, %a.1
  tail call void @llvm.assume(i1 %cond.i.i)
  ret i64 %_0.sroa.0.0.i.i
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable
define noundef i32 @greatest(ptr noalias noundef nonnull readonly align 4 captures(none) %a.0, i64 noundef range(i64 0, 2305843009213693952) %a.1) unnamed_addr #2 personality ptr @rust_eh_personality {
start:
  %0 = icmp eq i64 %a.1, 0
  br i1 %0, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h40db7f05aab64dedE.exit", label %bb8.i

bb8.i:                                            ; preds = %start, %bb8.i
  %i.sroa.0.0.i = phi i64 [ %_27.i, %bb8.i ], [ 0, %start ]
  %acc.sroa.0.0.i = phi i32 [ %_0.sroa.0.0.i.i.i, %bb8.i ], [ -2147483648, %start ]
  %_45.i = getelementptr inbounds nuw i32, ptr %a.0, i64 %i.sroa.0.0.i
  %_45.val.i = load i32, ptr %_45.i, align 4, !noundef !11
  %_0.sroa.0.0.i.i.i = tail call noundef i32 @llvm.smax.i32(i32 %_45.val.i, i32 %acc.sroa.0.0.i)
  %_27.i = add nuw nsw i64 %i.sroa.0.0.i, 1
  %_28.i = icmp eq i64 %_27.i, %a.1
  br i1 %_28.i, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h40db7f05aab64dedE.exit", label %bb8.i

"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h40db7f05aab64dedE.exit": ; preds = %bb8.i, %start
  %_0.sroa.0.0.i = phi i32 [ -2147483648, %start ], [ %_0.sroa.0.0.i.i.i, %bb8.i ]
  ret i32 %_0.sroa.0.0.i
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable
define noundef i32 @hash(ptr noalias noundef nonnull readonly align 1 captures(none) %a.0, i64 noundef range(i64 0, -9223372036854775808) %a.1) unnamed_addr #2 personality ptr @rust_eh_personality {
start:
  %0 = icmp samesign eq i64 %a.1, 0
  br i1 %0, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h393b824af6d857ccE.exit", label %bb8.i

bb8.i:                                            ; preds = %start, %bb8.i
  %i.sroa.0.0.i = phi i64 [ %_27.i, %bb8.i ], [ 0, %start ]
  %acc.sroa.0.0.i = phi i32 [ %_0.i.i, %bb8.i ], [ 0, %start ]
  %_45.i = getelementptr inbounds nuw i8, ptr %a.0, i64 %i.sroa.0.0.i
  %_45.val.i = load i8, ptr %_45.i, align 1, !noundef !11
  %_4.i.i = mul i32 %acc.sroa.0.0.i, 31
  %_5.i.i = zext i8 %_45.val.i to i32
  %_0.i.i = add i32 %_4.i.i, %_5.i.i
  %_27.i = add nuw nsw i64 %i.sroa.0.0.i, 1
  %_28.i = icmp eq i64 %_27.i, %a.1
  br i1 %_28.i, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h393b824af6d857ccE.exit", label %bb8.i

"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h393b824af6d857ccE.exit": ; preds = %bb8.i, %start
  %_0.sroa.0.0.i = phi i32 [ 0, %start ], [ %_0.i.i, %bb8.i ]
  ret i32 %_0.sroa.0.0.i
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable
define { i32, i32 } @least_of(i32 noundef %a.0, i32 noundef %a.1, i32 noundef %b.0, i32 noundef %b.1) unnamed_addr #0 {
start:
  %_3 = icmp slt i32 %b.0, %a.0
  %b.1.a.1 = select i1 %_3, i32 %b.1, i32 %a.1
  %b.0.a.0 = tail call i32 @llvm.smin.i32(i32 %b.0, i32 %a.0)
  %0 = insertvalue { i32, i32 } poison, i32 %b.0.a.0, 0
  %1 = insertvalue { i32, i32 } %0, i32 %b.1.a.1, 1
  ret { i32, i32 } %1
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable
define noundef zeroext i1 @parity(ptr noalias noundef nonnull readonly align 1 captures(none) %a.0, i64 noundef range(i64 0, -9223372036854775808) %a.1) unnamed_addr #2 personality ptr @rust_eh_personality {
start:
  %0 = icmp samesign eq i64 %a.1, 0
  br i1 %0, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hc21f1d244510710eE.exit", label %bb8.i

bb8.i:                                            ; preds = %start, %bb8.i
  %i.sroa.0.0.i = phi i64 [ %_27.i, %bb8.i ], [ 0, %start ]
  %acc.sroa.0.0.i = phi i1 [ %_0.i.i, %bb8.i ], [ false, %start ]
  %_45.i = getelementptr inbounds nuw i8, ptr %a.0, i64 %i.sroa.0.0.i
  %_45.val.i = load i8, ptr %_45.i, align 1, !range !12, !noundef !11
  %_4.i.i = trunc nuw i8 %_45.val.i to i1
  %_0.i.i = xor i1 %acc.sroa.0.0.i, %_4.i.i
  %_27.i = add nuw nsw i64 %i.sroa.0.0.i, 1
  %_28.i = icmp eq i64 %_27.i, %a.1
  br i1 %_28.i, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hc21f1d244510710eE.exit", label %bb8.i

"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hc21f1d244510710eE.exit": ; preds = %bb8.i, %start
  %_0.sroa.0.0.i = phi i1 [ false, %start ], [ %_0.i.i, %bb8.i ]
  ret i1 %_0.sroa.0.0.i
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable
define noundef i8 @saturated(ptr noalias noundef nonnull readonly align 1 captures(none) %a.0, i64 noundef range(i64 0, -9223372036854775808) %a.1) unnamed_addr #2 personality ptr @rust_eh_personality {
start:
  %0 = icmp samesign eq i64 %a.1, 0
  br i1 %0, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hd0eaedc7df67705aE.exit", label %bb8.i

bb8.i:                                            ; preds = %start, %bb8.i
  %i.sroa.0.0.i = phi i64 [ %_27.i, %bb8.i ], [ 0, %start ]
  %acc.sroa.0.0.i = phi i8 [ %1, %bb8.i ], [ 0, %start ]
  %_45.i = getelementptr inbounds nuw i8, ptr %a.0, i64 %i.sroa.0.0.i
  %_45.val.i = load i8, ptr %_45.i, align 1, !noundef !11
  %1 = tail call noundef i8 @llvm.uadd.sat.i8(i8 %acc.sroa.0.0.i, i8 %_45.val.i)
  %_27.i = add nuw nsw i64 %i.sroa.0.0.i, 1
  %_28.i = icmp eq i64 %_27.i, %a.1
  br i1 %_28.i, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hd0eaedc7df67705aE.exit", label %bb8.i

"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hd0eaedc7df67705aE.exit": ; preds = %bb8.i, %start
  %_0.sroa.0.0.i = phi i8 [ 0, %start ], [ %1, %bb8.i ]
  ret i8 %_0.sroa.0.0.i
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable
define noundef i32 @sum(ptr noalias noundef nonnull readonly align 4 captures(none) %a.0, i64 noundef range(i64 0, 2305843009213693952) %a.1) unnamed_addr #2 personality ptr @rust_eh_personality {
start:
  %0 = icmp eq i64 %a.1, 0
  br i1 %0, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hf51739b7f3e7a4e0E.exit", label %bb8.i

bb8.i:                                            ; preds = %start, %bb8.i
  %i.sroa.0.0.i = phi i64 [ %_27.i, %bb8.i ], [ 0, %start ]
  %acc.sroa.0.0.i = phi i32 [ %_0.i.i, %bb8.i ], [ 0, %start ]
  %_45.i = getelementptr inbounds nuw i32, ptr %a.0, i64 %i.sroa.0.0.i
  %_45.val.i = load i32, ptr %_45.i, align 4, !noundef !11
  %_0.i.i = add i32 %_45.val.i, %acc.sroa.0.0.i
  %_27.i = add nuw nsw i64 %i.sroa.0.0.i, 1
  %_28.i = icmp eq i64 %_27.i, %a.1
  br i1 %_28.i, label %"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hf51739b7f3e7a4e0E.exit", label %bb8.i

"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17hf51739b7f3e7a4e0E.exit": ; preds = %bb8.i, %start
  %_0.sroa.0.0.i = phi i32 [ 0, %start ], [ %_0.i.i, %bb8.i ]
  ret i32 %_0.sroa.0.0.i
}

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable
define noundef double @sum_float(ptr noalias noundef nonnull readonly align 8 captures(address) %a.0, i64 noundef range(i64 0, 1152921504606846976) %a.1) unnamed_addr #2 {
start:
  %_10.idx = shl nuw nsw i64 %a.1, 3
  %_10 = getelementptr inbounds nuw i8, ptr %a.0, i64 %_10.idx
  %_172 = icmp eq i64 %a.1, 0
  br i1 %_172, label %bb2, label %bb3

bb3:                                              ; preds = %start, %bb3
  %s.sroa.0.04 = phi double [ %0, %bb3 ], [ 0.000000e+00, %start ]
  %iter.sroa.0.03 = phi ptr [ %_23, %bb3 ], [ %a.0, %start ]
  %_23 = getelementptr inbounds nuw i8, ptr %iter.sroa.0.03, i64 8
  %_5 = load double, ptr %iter.sroa.0.03, align 8, !noundef !11
  %0 = fadd double %s.sroa.0.04, %_5
  %_17 = icmp eq ptr %_23, %_10
  br i1 %_17, label %bb2, label %bb3

bb2:                                              ; preds = %bb3, %start
  %s.sroa.0.0.lcssa = phi double [ 0.000000e+00, %start ], [ %0, %bb3 ]
  ret double %s.sroa.0.0.lcssa
}

; Function Attrs: nounwind nonlazybind uwtable
declare noundef range(i32 0, 10) i32 @rust_eh_personality(i32 noundef, i32 noundef, i64 noundef, ptr noundef, ptr noundef) unnamed_addr #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.uadd.sat.i8(i8, i8) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #6

attributes #0 = { mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { nofree norecurse nosync nounwind nonlazybind memory(argmem: read, inaccessiblemem: write) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { nofree norecurse nosync nounwind nonlazybind memory(argmem: read) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #3 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!3 = !{!4}
!4 = distinct !{!4, !5, !"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count8to_usize28_$u7b$$u7b$closure$u7d$$u7d$17h2532c98c1981faf0E: argument 0"}
!5 = distinct !{!5, !"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count8to_usize28_$u7b$$u7b$closure$u7d$$u7d$17h2532c98c1981faf0E"}
!6 = !{!7, !9}
!7 = distinct !{!7, !8, !"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h905c0fc70037adc2E: argument 0"}
!8 = distinct !{!8, !"_ZN91_$LT$core..slice..iter..Iter$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4fold17h905c0fc70037adc2E"}
!9 = distinct !{!9, !10, !"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count17heeaf27ab7acbc1cbE: %self"}
!10 = distinct !{!10, !"_ZN108_$LT$core..iter..adapters..filter..Filter$LT$I$C$P$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$5count17heeaf27ab7acbc1cbE"}
!11 = !{}
!12 = !{i8 0, i8 2}
