"""Checks operators that one might hand to functools.reduce in parallel: python3 example.py librfactor.so"""

import sys

import rfactor

library = rfactor.Library(sys.argv[1])
for operator, identity in [("x + y", "0"), ("max(x, y)", "0"), ("x - y", "0")]:
    report = library.check(types="x:i32,y:i32", operator=operator, identity=identity)
    print(operator, "associative:", report["associative"]["holds"], "identity", identity, "on:", report["identity"]["side"])

answer = library.match(types="x0:i32,y0:i32", update="select(y0 > 9, x0 + 1, x0)", proof=True)
print(answer["operator"]["exprs"], answer["inject"], library.verify(answer=answer))
try:
    library.match(types="x0:i32", update="x0 +")
except rfactor.Error as e:
    print("error:", str(e).splitlines()[0])
