"""A CPU in software (Bochs) as the reference for instructions that the CPU here lacks.

Speaks the part of stepper.c's protocol that single instructions need: I, G and T. The CPU is in 64-bit user mode,
with one page of code and two of data. Two models have between them most of what there is:

    LD_PRELOAD=reference_model.so python3 reference_cpu.py sapphire_rapids    AVX-512 in all its parts, with FP16
    LD_PRELOAD=reference_model.so python3 reference_cpu.py arrow_lake         no AVX-512, but what came after
"""

import ctypes
import os
import struct
import sys

# What xsave saves (x87, SSE, AVX; opmasks, the two parts of AVX-512), how many bytes of it, and where the YMM's, the
# opmasks and the two parts begin.
MODELS = {
    "sapphire_rapids": (0xE7, 2688, (576, 1088, 1152, 1664)),
    "arrow_lake": (0x07, 832, (576, 0, 0, 0)),
}
MODEL = sys.argv[1]
COMPONENTS, XSTATE_BYTES, OFFSETS = MODELS[MODEL]

# reference_model.c finds the maker of the model among the symbols of the module.
os.environ["REFERENCE_MODEL"] = f"_Z{len(f'create_{MODEL}_cpuid')}create_{MODEL}_cpuidP8BX_CPU_C"
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
import bochscpu._bochscpu as bochs  # noqa: E402
import bochscpu.memory as memory  # noqa: E402

CODE, DATA = 0x1000_0000, 0x2000_0000
STUB, AREA = 0x4000_0000, 0x5000_0000
# Physical addresses: of the tables, and of all other pages, one after the other.
PAGE_TABLE, FIRST_PAGE = 0x10_0000, 0x100_0000
PAGE = 4096
# xrstor64 [rdi], xsave64 [rdi], pushfq
STUBS = b"\x48\x0f\xae\x2f" b"\x48\x0f\xae\x27" b"\x9c"
LOAD, SAVE, PUSH = STUB, STUB + 4, STUB + 8
# user_regs_struct: names of its 27 words that the CPU here has as registers.
NAMES = "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi - rip - rflags rsp".split()
FS_BASE, GS_BASE, FLAGS = 21, 22, 18
SIGNALS = {0: 8, 1: 5, 3: 5, 4: 11, 5: 11, 6: 4, 13: 11, 14: 11, 16: 8, 17: 7, 19: 8}
SIGTRAP, SIGSEGV = 5, 11


class Machine:
    def __init__(self):
        self.session = bochs.Session()
        self.session.missing_page_handler = lambda physical: sys.exit(f"no memory at {physical:#x}")
        self.table = memory.PageMapLevel4Table()
        self.next_page = FIRST_PAGE
        self.code, self.stub = self.page(CODE), self.page(STUB)
        self.data = [self.page(DATA), self.page(DATA + PAGE)]
        self.area = self.page(AREA)
        for host, physical in self.table.commit(PAGE_TABLE):
            memory.page_insert(physical, host)
            entry = ctypes.cast(host, ctypes.POINTER(ctypes.c_uint64))
            if entry[CODE // PAGE % 512] & ~0xFFF == FIRST_PAGE:
                self.code_entry = entry
        ctypes.memmove(self.stub, STUBS, len(STUBS))
        self.signal = SIGTRAP
        self.hook = bochs.Hook()
        self.hook.after_execution = lambda session, cpu, instruction: session.stop()
        self.hook.exception = self.exception
        self.session.cpu.state = self.user_mode()

    def page(self, address):
        host, physical = memory.allocate_host_page(), self.next_page
        self.next_page += PAGE
        memory.page_insert(physical, host)
        self.table.insert(address, physical, memory.AccessType.Write.value)
        return host

    def place(self, code):
        """Puts code into a page that never was: the CPU keeps what it has decoded, by its physical address."""
        old = self.code_entry[0]
        self.code_entry[0] = self.next_page | old & 0xFFF
        memory.page_remove(old & ~0xFFF)
        memory.page_insert(self.next_page, self.code)
        self.next_page += PAGE
        ctypes.memset(self.code, 0, PAGE)
        ctypes.memmove(self.code, code, len(code))

    def exception(self, session, cpu, vector, code):
        self.signal = SIGNALS.get(vector, SIGSEGV)
        session.stop()

    @staticmethod
    def segment(selector, attributes, base=0):
        segment = bochs.Segment()
        segment.present, segment.base, segment.limit = True, base, 0xFFFF_FFFF
        segment.selector, segment.attr = selector, attributes
        return segment

    def user_mode(self):
        state = bochs.State()
        state.cr0 = 0x8001_0033  # paging, protection, no x87 emulation
        state.cr3 = PAGE_TABLE
        state.cr4 = 0x5_0620  # PAE, OSFXSR, OSXMMEXCPT, FSGSBASE, OSXSAVE
        state.efer, state.xcr0 = 0xD01, COMPONENTS
        state.cs = self.segment(0x33, 0xA0FB)
        for name in ("ds", "es", "ss", "fs", "gs"):
            setattr(state, name, self.segment(0x2B, 0xC0F3))
        state.rip, state.rflags, state.rsp = STUB, 2, DATA + PAGE
        state.mxcsr, state.mxcsr_mask, state.fpcw = 0x1F80, 0xFFFF, 0x37F
        return state

    def run(self):
        self.session.run([self.hook])

    def run_on_area(self, stub):
        """Runs what loads or saves the whole vector state."""
        cpu = self.session.cpu
        cpu.rip, cpu.rax, cpu.rdx, cpu.rdi, cpu.rflags = stub, COMPONENTS, 0, AREA, 2
        self.run()

    def load(self, registers, xstate, code):
        self.place(code)
        self.session.cpu.state = self.user_mode()
        header = struct.unpack_from("<Q", xstate, 512)[0] & COMPONENTS
        area = xstate[:512] + struct.pack("<Q", header) + bytes(56) + xstate[576:]
        ctypes.memmove(self.area, area, XSTATE_BYTES)
        self.run_on_area(LOAD)
        cpu = self.session.cpu
        for index, name in enumerate(NAMES):
            if name != "-":
                setattr(cpu, name, registers[index])
        cpu.fs = self.segment(0x2B, 0xC0F3, registers[FS_BASE])
        cpu.gs = self.segment(0x2B, 0xC0F3, registers[GS_BASE])

    def registers(self):
        cpu = self.session.cpu
        values = [getattr(cpu, name) if name != "-" else 0 for name in NAMES]
        values += [0] * (27 - len(values))
        values[FS_BASE], values[GS_BASE] = cpu.fs.base, cpu.gs.base
        values[FLAGS] = self.flags()
        return values

    def flags(self):
        """Pushes the flags: Bochs computes them late, and the module's own registers do not have all of them."""
        cpu = self.session.cpu
        cpu.rip, cpu.rsp = PUSH, AREA + PAGE
        self.run()
        return struct.unpack("<Q", ctypes.string_at(self.area + PAGE - 8, 8))[0]

    def vectors(self):
        ctypes.memset(self.area, 0, PAGE)
        self.run_on_area(SAVE)
        return ctypes.string_at(self.area, XSTATE_BYTES)

    def try_one(self, registers, xstate, code, data):
        self.load(registers, xstate, code)
        for index, host in enumerate(self.data):
            ctypes.memmove(host, data[index * PAGE :][:PAGE], PAGE)
        self.signal = SIGTRAP
        self.run()
        signal, after = self.signal, self.registers()
        left = b"".join(ctypes.string_at(host, PAGE) for host in self.data)
        return signal, after, self.vectors(), left


def main():
    # Only the protocol goes to standard output; Bochs may have something to say.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = sys.stdin.buffer
    machine = Machine()
    packed = struct.Struct("<27Q")
    while command := source.read(1):
        if command == b"I":
            out.write(struct.pack("<6I", os.getpid(), XSTATE_BYTES, *OFFSETS))
        elif command == b"G":
            out.write(packed.pack(*machine.registers()) + machine.vectors())
        elif command == b"T":
            registers, xstate = packed.unpack(source.read(packed.size)), source.read(XSTATE_BYTES)
            code = source.read(source.read(1)[0])
            data = source.read(struct.unpack("<I", source.read(4))[0])
            signal, after, vectors, left = machine.try_one(registers, xstate, code, data)
            out.write(bytes([signal]) + packed.pack(*after) + vectors + left)
        else:
            break
        out.flush()
    # The module cannot be torn down in order.
    os._exit(0)


main()
