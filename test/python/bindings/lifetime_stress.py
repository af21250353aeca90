# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses every kind of object of the bindings after what it refers to was erased, moved, rewritten or dropped.

A program of its own, which test_lifetime_stress.py runs: `lifetime_stress.py SEED STEPS`. Exceptions are as good as
answers; what must not happen is a crash of the process.
"""

import faulthandler
import gc
import random
import sys
import threading

from mlir_xla import ir
from mlir_xla.passmanager import PassManager
from mlir_xla.rewrite import RewritePatternSet, apply_patterns_and_fold_greedily, walk_and_apply_patterns

SOURCE = """
module @outer {
  func.func @callee(%a: i32, %b: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.muli %0, %b : i32
    return %1 : i32
  }
  func.func @caller(%a: i32, %c: i1) -> i32 {
    %0 = func.call @callee(%a, %a) : (i32, i32) -> i32
    %dead = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
    cf.cond_br %c, ^bb1(%0 : i32), ^bb2
  ^bb1(%x: i32):
    cf.br ^bb2
  ^bb2:
    "test.regions"() ({
      %y = arith.constant 5 : i32
      "test.end"(%y) : (i32) -> ()
    }, {
    ^bb0(%z: f32):
      "test.end"(%z) : (f32) -> ()
    }) {attr = [1, "two", {three = 3 : i8}]} : () -> ()
    return %0 : i32
  }
}
"""

# What counts as an answer. Everything else ends the program.
REFUSALS = (RuntimeError, ValueError, TypeError, IndexError, KeyError, AttributeError, StopIteration, ir.MLIRError)
# Attributes and methods without arguments that are safe to touch on anything.
SKIPPED = {"dump", "print", "static_typeid", "type_name", "attr_name", "emit_error", "load_all_available_dialects"}


class Fuzzer:
    """Keeps a pool of objects; each step takes one, touches it in some way and keeps what comes of it."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.pool = []
        self.context = None
        self.renew()

    def renew(self):
        """A new context and module; objects of the old ones stay in the pool."""
        self.context = ir.Context()
        self.context.allow_unregistered_dialects = True
        self.context.enable_multithreading(False)
        with self.context:
            self.pool.append(ir.Module.parse(SOURCE))

    def pick(self, *kinds):
        candidates = [each for each in self.rng.sample(self.pool, min(len(self.pool), 40)) if isinstance(each, kinds)]
        return self.rng.choice(candidates) if candidates else None

    def operation(self):
        return self.pick(ir.Operation, ir.OpView)

    def look(self):
        """Reads a property, calls a method without arguments, or iterates."""
        thing = self.rng.choice(self.pool)
        kind = self.rng.randrange(5)
        if kind == 0:
            str(thing), repr(thing), hash(thing), thing == self.rng.choice(self.pool)
        elif kind == 1 and hasattr(thing, "__iter__") and not isinstance(thing, (str, bytes, dict)):
            self.keep(iter(thing))
            for number, each in enumerate(thing):
                self.keep(each)
                if number > 5:
                    break
        elif kind == 2 and hasattr(thing, "__next__"):
            self.keep(next(thing))
        elif kind == 3 and hasattr(thing, "__len__") and hasattr(thing, "__getitem__"):
            self.keep(thing[self.rng.randrange(-3, 4)])
            self.keep(thing[:2])
        else:
            names = [name for name in dir(type(thing)) if not name.startswith("_") and name not in SKIPPED]
            for name in self.rng.sample(names, min(3, len(names))):
                member = getattr(type(thing), name, None)
                if isinstance(member, property) or not callable(member):
                    self.keep(getattr(thing, name))

    def keep(self, thing):
        if thing is not None and not isinstance(thing, (bool, int, str, float, bytes, type)):
            self.pool.append(thing)

    def change(self):
        """Edits the IR."""
        rng, op, other = self.rng, self.operation(), self.operation()
        value, other_value = self.pick(ir.Value), self.pick(ir.Value)
        block = self.pick(ir.Block)
        action = rng.randrange(18)
        if action == 0 and op:
            op.operation.erase()
        elif action == 1 and op and other:
            rng.choice([op.operation.move_before, op.operation.move_after])(other.operation)
        elif action == 2 and op:
            op.operation.detach_from_parent()
        elif action == 3 and op:
            self.keep(op.operation.clone())
        elif action == 4 and block and op:
            block.append(op.operation)
        elif action == 5 and block:
            region = self.pick(ir.Region)
            if region:
                block.append_to(region)
        elif action == 6 and value and other_value:
            value.replace_all_uses_with(other_value)
        elif action == 7 and op and value:
            op.operands[0] = value
        elif action == 8 and op:
            op.attributes["extra"] = ir.Attribute.parse("unit", self.context)
            del op.attributes[rng.choice(["extra", "value", "sym_name"])]
        elif action == 9 and block:
            with ir.Location.unknown(self.context):
                self.keep(block.create_after(ir.Type.parse("i32", self.context)))
        elif action == 10 and block:
            block.erase_argument(0)
        elif action == 11 and block:
            with ir.Location.unknown(self.context):
                point = rng.choice([ir.InsertionPoint, ir.InsertionPoint.at_block_begin])(block)
                self.keep(point)
                self.keep(ir.Operation.create("test.made", results=[ir.Type.parse("i32")], regions=1, ip=point))
        elif action == 12:
            point = self.pick(ir.InsertionPoint)
            if point and op:
                point.insert(op.operation)
        elif action == 13 and op:
            table = ir.SymbolTable(op.operation)
            self.keep(table)
            name = rng.choice(["callee", "caller", "nothing"])
            self.keep(table[name])
            if rng.randrange(2):
                table.erase(table[name])
        elif action == 14:
            table = self.pick(ir.SymbolTable)
            if table and op:
                table.insert(op.operation)
        elif action == 15 and op and value:
            value.set_type(ir.Type.parse(rng.choice(["i32", "f32"]), self.context))
        elif action == 16 and op:
            self.walk(op)
        elif action == 17 and op:
            ir.Operation.parse(str(op), context=self.context)

    def walk(self, op):
        def visit(inner):
            self.keep(inner)
            if self.rng.randrange(6) == 0:
                inner.operation.erase()
            elif self.rng.randrange(6) == 0:
                inner.operation.detach_from_parent()
            return self.rng.choice([ir.WalkResult.ADVANCE, ir.WalkResult.SKIP])

        op.operation.walk(visit, self.rng.choice([ir.WalkOrder.PRE_ORDER, ir.WalkOrder.POST_ORDER]))

    def transform(self):
        """Runs passes and patterns, which keep wrappers while they work."""
        module = self.pick(ir.Module)
        if not module:
            return
        action = self.rng.randrange(3)
        module.operation.verify()  # Passes may rely on it.
        with module.context:
            if action == 0:
                pipeline = self.rng.choice(["canonicalize", "cse", "inline", "symbol-dce", "convert-arith-to-llvm"])
                PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
            elif action == 1:
                manager = PassManager("any")

                def change(op, external):
                    self.keep(op)
                    self.keep(external)
                    with ir.Location.unknown(op.context):
                        self.walk(op)

                manager.add(change)
                manager.run(module.operation)
            else:
                patterns = RewritePatternSet()

                def rewrite(op, rewriter):
                    self.keep(op)
                    self.keep(rewriter)
                    with rewriter.ip, op.location:
                        new = ir.Operation.create("test.new", results=[op.results[0].type])
                    rewriter.replace_op(op, new)

                patterns.add(self.rng.choice(["arith.addi", "arith.constant"]), rewrite)
                frozen = patterns.freeze()
                self.keep(frozen)
                self.rng.choice([apply_patterns_and_fold_greedily, walk_and_apply_patterns])(module.operation, frozen)

    def step(self):
        action = self.rng.randrange(100)
        try:
            if action < 60:
                self.look()
            elif action < 90:
                self.change()
            elif action < 94:
                self.transform()
            elif action < 97:
                self.rng.shuffle(self.pool)
                del self.pool[len(self.pool) // 2 :]
                if self.rng.randrange(4) == 0:
                    gc.collect()
            else:
                self.renew()
        except REFUSALS:
            pass
        if len(self.pool) > 600:
            self.pool = self.rng.sample(self.pool, 200)
        if not self.pool:
            self.renew()


def main(seed, steps):
    faulthandler.enable()
    threads = []
    for number in range(2):  # Each has contexts of its own.
        fuzzer = Fuzzer(2 * seed + number)
        threads.append(threading.Thread(target=lambda fuzzer=fuzzer: [fuzzer.step() for _ in range(steps)]))
        del fuzzer
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    threads.clear()
    gc.collect()
    print("done, live contexts:", ir.Context._get_live_count())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
