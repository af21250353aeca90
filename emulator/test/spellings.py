# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints LLVM IR with the intrinsics for Hopper's asynchronous instructions, for the emulator to load what LLVM makes
of them: the kernel `all` has each of them, `nothing` can be run."""

KINDS = {"i1": "false", "i16": "%h", "i32": "%r", "i64": "%w", "p": "%g", "p1": "%global", "p3": "%s", "p7": "%c"}


def main() -> None:
    used: dict[str, str] = {}
    body: list[str] = []

    def call(name: str, arguments: str = "", result: str = "void") -> None:
        """Arguments are kinds, or numbers with their types: `p3 i32 i32=128`."""
        types, values = [], []
        for argument in arguments.split():
            kind, _, value = argument.partition("=")
            llvm_type = (
                f"ptr addrspace({kind[1]})" if kind[0] == "p" and len(kind) > 1 else "ptr" if kind == "p" else kind
            )
            types.append(llvm_type)
            values.append(f"{llvm_type} {value or KINDS[kind]}")
        used[name] = f"declare {result} @llvm.nvvm.{name}({', '.join(types)})"
        number = len(body)
        prefix = "" if result == "void" else f"%v{number} = "
        body.append(f"  {prefix}call {result} @llvm.nvvm.{name}({', '.join(values)})")
        if result in ("i1", "i32", "i64"):
            body.append(f"  store volatile {result} %v{number}, ptr %g")

    call("mbarrier.init", "p i32")
    call("mbarrier.init.shared", "p3 i32")
    call("mbarrier.inval", "p")
    call("mbarrier.inval.shared", "p3")
    call("mbarrier.pending.count", "i64", "i32")
    for op in ("arrive", "arrive.drop"):
        call(f"mbarrier.{op}", "p", "i64")
        call(f"mbarrier.{op}.shared", "p3", "i64")
        call(f"mbarrier.{op}.noComplete", "p i32", "i64")
        call(f"mbarrier.{op}.noComplete.shared", "p3 i32", "i64")
    call("mbarrier.test.wait", "p i64", "i1")
    call("mbarrier.test.wait.shared", "p3 i64", "i1")
    for scope in ("cta", "cluster"):
        for space, pointer in (("cta", "p3"), ("cluster", "p7")):
            place = f"scope.{scope}.space.{space}"
            for op in ("expect.tx", "complete.tx"):
                call(f"mbarrier.{op}.{place}", f"{pointer} i32")
            for op in ("arrive", "arrive.expect.tx", "arrive.drop", "arrive.drop.expect.tx"):
                for order in ("", "relaxed."):
                    call(f"mbarrier.{op}.{order}{place}", f"{pointer} i32", "i64" if space == "cta" else "void")
        for op, limit in (("test.wait", ""), ("try.wait", ""), ("try.wait", "tl.")):
            for order in ("", "relaxed."):
                more = " i32" if limit else ""
                call(f"mbarrier.{op}.{limit}{order}scope.{scope}.space.cta", f"p3 i64{more}", "i1")
                call(f"mbarrier.{op}.parity.{limit}{order}scope.{scope}.space.cta", f"p3 i32{more}", "i1")
    for fence in ("mbarrier_init.release.cluster", "sc.cluster"):
        call(f"fence.{fence}")
    for space in ("acquire.sync_restrict.space.cluster", "release.sync_restrict.space.cta"):
        call(f"fence.{space}.scope.cluster")
        call(f"fence.proxy.async_generic.{space}.scope.cluster")
    for kind in ("alias", "async", "async.global", "async.shared_cta", "async.shared_cluster"):
        call(f"fence.proxy.{kind}")
    for scope in ("cta", "cluster", "gpu", "sys"):
        call(f"fence.proxy.tensormap_generic.release.{scope}")
        call(f"fence.proxy.tensormap_generic.acquire.{scope}", "p i32=128")
    call("cp.async.bulk.commit.group")
    call("cp.async.bulk.wait.group", "i32=3")
    call("cp.async.bulk.wait.group.read", "i32=0")
    for dimensions in range(1, 6):
        at = " i32" * dimensions
        for cached in ("false", "true"):
            call(f"cp.async.bulk.tensor.s2g.tile.{dimensions}d", f"p3 p{at} i64 i1={cached}")
            call(f"cp.async.bulk.tensor.prefetch.tile.{dimensions}d", f"p{at} i64 i1={cached}")
            for many in ("false", "true"):
                call(
                    f"cp.async.bulk.tensor.g2s.tile.{dimensions}d",
                    f"p7 p3 p{at} i16 i64 i1={many} i1={cached} i32=0",
                )
    for cached in ("false", "true"):
        for many in ("false", "true"):
            call("cp.async.bulk.global.to.shared.cluster", f"p7 p3 p1 i32 i16 i64 i1={many} i1={cached}")
        call("cp.async.bulk.shared.cta.to.global", f"p1 p3 i32 i64 i1={cached}")
        call("cp.async.bulk.prefetch.L2", f"p1 i32 i64 i1={cached}")
    call("cp.async.bulk.shared.cta.to.cluster", "p7 p3 p3 i32")
    for form in ("L1", "L2", "tensormap"):
        call(f"prefetch.{form}" + (".p0" if form == "tensormap" else ""), "p")
    call("wgmma.fence.sync.aligned")
    call("wgmma.commit_group.sync.aligned")
    call("wgmma.wait_group.sync.aligned", "i64=1")
    for form in ("arrive", "arrive.relaxed", "wait", "arrive.aligned", "arrive.relaxed.aligned", "wait.aligned"):
        call(f"barrier.cluster.{form}")
    call("mapa", "p i32", "ptr")
    call("mapa.shared.cluster", "p3 i32", "ptr addrspace(7)")
    call("getctarank", "p", "i32")
    call("getctarank.shared.cluster", "p3", "i32")
    for register in ("clusterid.x", "nclusterid.y", "cluster.ctaid.z", "cluster.nctaid.x", "cluster.ctarank"):
        call(f"read.ptx.sreg.{register}", "", "i32")
    call("is_explicit_cluster", "", "i1")
    call("setmaxnreg.inc.sync.aligned.u32", "i32=232")
    call("setmaxnreg.dec.sync.aligned.u32", "i32=40")
    call("griddepcontrol.launch.dependents")
    call("griddepcontrol.wait")
    call("barrier.cta.sync.aligned.all", "i32")
    call("barrier.cta.sync.count", "i32 i32")
    call("barrier.cta.arrive.aligned.count", "i32 i32")

    print('target triple = "nvptx64-nvidia-cuda"')
    print("\n".join(used.values()))
    print("define ptx_kernel void @nothing() {\n  ret void\n}")
    print("define ptx_kernel void @all(ptr %g, ptr addrspace(3) %s, i32 %r, i64 %w, i16 %h) {")
    print("  %global = addrspacecast ptr %g to ptr addrspace(1)")
    print("  %c = addrspacecast ptr addrspace(3) %s to ptr addrspace(7)")
    print("\n".join(body))
    print("  ret void\n}")


if __name__ == "__main__":
    main()
