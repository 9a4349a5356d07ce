package lowertest

// Placed is a program that keeps elements one behind another.
type Placed struct {
	Name, Text string
	Vectors    int // functions of it that are emitted on vectors, besides those that count
}

// PlacedPrograms are programs that keep elements one behind another, of all widths, with several components, and with a second update that
// goes on where the first one ended.
func PlacedPrograms() []Placed { return placed }

var placed = []Placed{
	{"i32", "ImageParam in(Int(32), 1); RDom r(0, in.width()); r.where(in(r) > 2); Func out, pos; out(pos++) = in(r);", 1},
	{"all", "ImageParam in(Int(32), 1); RDom r(0, in.width()); Func out, pos; out(pos++) = in(r);", 0},
	{"bytes", "ImageParam in(UInt(8), 1); RDom r(0, in.width()); r.where(in(r) != 3); Func out, pos; out(pos++) = in(r);", 0},
	{"shorts", "ImageParam in(Int(16), 1); RDom r(0, in.width()); r.where(in(r) > 0); Func out, pos; out(pos++) = in(r)*in(r);", 0},
	{"truths", "ImageParam in(Bool(), 1), a(Bool(), 1); RDom r(0, in.width()); r.where(in(r)); Func out, pos; out(pos++) = a(r);", 0},
	{"f32", "ImageParam in(Float(32), 1); RDom r(0, in.width()); r.where(in(r) == in(r) && !(in(r) < 1.0f)); Func out, pos; out(pos++) = in(r)*2.0f;", 1},
	{"f64", "ImageParam in(Float(64), 1); RDom r(0, in.width()); r.where(in(r) > 0); Func out, pos; out(pos++) = in(r);", 1},
	{"u64", "ImageParam in(UInt(64), 1); Param<uint64_t> k; RDom r(0, in.width()); r.where((in(r) & 1) == k); Func out, pos; out(pos++) = in(r) + k;", 1},
	{"places", "ImageParam in(Int(32), 1); RDom r(3, in.width() - 3); r.where(in(r) == in(r - 3)); Func out, pos; out(pos++) = {r, in(r - 1)};", 1},
	{"mixed", "ImageParam in(Int(32), 1); RDom r(0, in.width()); r.where(in(r) > 2); Func out, pos; Var x; out(x) = {-1, cast<int64_t>(7)}; out(pos++) = {in(r), cast<int64_t>(in(r))*3};", 0},
	{"rows", "ImageParam in(Int(32), 2); RDom r(0, in.width(), 0, in.height()); r.where(in(r.x, r.y) > r.y); Func out, pos; out(pos++) = {in(r.x, r.y), r.y};", 1},
	{"computed", "RDom r(0, 700); r.where(r*r % 7 == 2); Func out, pos; out(pos++) = r;", 0},
	{"later", "ImageParam in(Int(32), 1); RDom r(0, in.width()); r.where(in(r) > 2); Func out, pos; Var x; out(x) = x + 100; pos() = 5; out(pos++) = in(r);", 1},
	{"partition", `ImageParam in(Int(32), 1); RDom r(0, in.width()), q(0, in.width());
		r.where(in(r) > 2); q.where(!(in(q) > 2));
		Func out, pos, end; Var x; out(x) = {0, 0};
		out(pos++) = {in(r), r}; end() = pos(); out(end++) = {in(q), q};`, 2},
	{"read", `ImageParam in(Int(32), 1); RDom r(0, in.width()), q(0, 4); r.where(in(r) > 2);
		Func twice, out, pos; out(pos++) = in(r); twice() = pos(); twice() += q*pos();`, 1},
}
