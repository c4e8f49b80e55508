// Has the kernel hand data from one socket to the other without TCP between them, where both ends are programs of one control group on this machine.
//
//   redirect CGROUP
//
// A BPF program sees each connection that is established in the control group (version 2) and puts its socket into a map, by its addresses; another one
// looks at what is sent on these sockets, and hands it to the socket with the same addresses the other way round. Programs need not know of it.
// Prints "ready", and ends with its standard input, which takes all away again; then it prints how many sends were handed over.

#include <linux/bpf.h>
#include <sys/syscall.h>

#include <array>
#include <cstddef>

#include "common.hpp"

namespace experiment {
namespace {

constexpr int kSocketsMax = 65536;

// Own address and port, the peer's address and port: as the kernel gives them for IPv4, ports in the order of the machine.
struct Key {
  uint32_t own_address, peer_address, own_port, peer_port;
};

int Bpf(bpf_cmd command, bpf_attr& attributes) { return syscall(SYS_bpf, command, &attributes, sizeof attributes); }

int NewMap(bpf_map_type type, uint32_t key_bytes, uint32_t value_bytes, uint32_t entries) {
  bpf_attr attributes{};
  attributes.map_type = type;
  attributes.key_size = key_bytes;
  attributes.value_size = value_bytes;
  attributes.max_entries = entries;
  return Must(Bpf(BPF_MAP_CREATE, attributes), "BPF map");
}

// A BPF program, written one instruction after the other.
class Program {
 public:
  void LoadWord(uint8_t to, uint8_t from, size_t offset) { Add(BPF_LDX | BPF_MEM | BPF_W, to, from, offset, 0); }
  void StoreWord(uint8_t to, size_t offset, uint8_t from) { Add(BPF_STX | BPF_MEM | BPF_W, to, from, offset, 0); }
  void StoreNumber(uint8_t to, size_t offset, int number) { Add(BPF_ST | BPF_MEM | BPF_W, to, 0, offset, number); }
  void Copy(uint8_t to, uint8_t from) { Add(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0); }
  void Set(uint8_t to, int number) { Add(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number); }
  void Plus(uint8_t to, int number) { Add(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, number); }
  void FromNetworkOrder(uint8_t to) { Add(BPF_ALU | BPF_END | BPF_TO_BE, to, 0, 0, 32); }
  void SkipIfEqual(uint8_t what, int number, int count) { Add(BPF_JMP | BPF_JEQ | BPF_K, what, 0, count, number); }
  void Skip(int count) { Add(BPF_JMP | BPF_JA, 0, 0, count, 0); }
  void AddAtomically(uint8_t to, uint8_t what) { Add(BPF_STX | BPF_ATOMIC | BPF_DW, to, what, 0, BPF_ADD); }
  void LoadMap(uint8_t to, int map) {
    Add(BPF_LD | BPF_IMM | BPF_DW, to, BPF_PSEUDO_MAP_FD, 0, map);
    Add(0, 0, 0, 0, 0);
  }
  void Call(int helper) { Add(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }
  void Exit() { Add(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }

  int Load(bpf_prog_type type, bpf_attach_type attach) const {
    std::vector<char> log(1 << 16);
    bpf_attr attributes{};
    attributes.prog_type = type;
    attributes.expected_attach_type = attach;
    attributes.insns = reinterpret_cast<uintptr_t>(code_.data());
    attributes.insn_cnt = code_.size();
    attributes.license = reinterpret_cast<uintptr_t>("Apache-2.0");
    attributes.log_buf = reinterpret_cast<uintptr_t>(log.data());
    attributes.log_size = log.size();
    attributes.log_level = 1;
    int loaded = Bpf(BPF_PROG_LOAD, attributes);
    if (loaded < 0) std::fprintf(stderr, "%s", log.data());
    return Must(loaded, "BPF program");
  }

 private:
  void Add(int code, uint8_t to, uint8_t from, int offset, int number) {
    bpf_insn instruction{};
    instruction.code = code;
    instruction.dst_reg = to;
    instruction.src_reg = from;
    instruction.off = offset;
    instruction.imm = number;
    code_.push_back(instruction);
  }
  std::vector<bpf_insn> code_;
};

// Where the key lies, below the frame pointer, register 10. Register 6 keeps the context.
constexpr int kKeyAt = -int(sizeof(Key));

// Puts each IPv4 socket of an established connection into the map.
Program Collect(int sockets) {
  Program program;
  program.Copy(6, 1);
  program.LoadWord(2, 6, offsetof(bpf_sock_ops, op));
  program.SkipIfEqual(2, BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB, 2);
  program.SkipIfEqual(2, BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB, 1);
  program.Skip(16);
  program.LoadWord(2, 6, offsetof(bpf_sock_ops, local_ip4));
  program.StoreWord(10, kKeyAt + offsetof(Key, own_address), 2);
  program.LoadWord(2, 6, offsetof(bpf_sock_ops, remote_ip4));
  program.StoreWord(10, kKeyAt + offsetof(Key, peer_address), 2);
  program.LoadWord(2, 6, offsetof(bpf_sock_ops, local_port));
  program.StoreWord(10, kKeyAt + offsetof(Key, own_port), 2);
  program.LoadWord(2, 6, offsetof(bpf_sock_ops, remote_port));
  program.FromNetworkOrder(2);
  program.StoreWord(10, kKeyAt + offsetof(Key, peer_port), 2);
  program.Copy(1, 6);
  program.LoadMap(2, sockets);
  program.Copy(3, 10);
  program.Plus(3, kKeyAt);
  program.Set(4, BPF_ANY);
  program.Call(BPF_FUNC_sock_hash_update);
  program.Set(0, 1);
  program.Exit();
  return program;
}

// Hands what is sent to the socket at the other end, and counts it; without one it goes its way.
Program HandOver(int sockets, int count) {
  Program program;
  program.Copy(6, 1);
  program.LoadWord(2, 6, offsetof(sk_msg_md, remote_ip4));
  program.StoreWord(10, kKeyAt + offsetof(Key, own_address), 2);
  program.LoadWord(2, 6, offsetof(sk_msg_md, local_ip4));
  program.StoreWord(10, kKeyAt + offsetof(Key, peer_address), 2);
  program.LoadWord(2, 6, offsetof(sk_msg_md, remote_port));
  program.FromNetworkOrder(2);
  program.StoreWord(10, kKeyAt + offsetof(Key, own_port), 2);
  program.LoadWord(2, 6, offsetof(sk_msg_md, local_port));
  program.StoreWord(10, kKeyAt + offsetof(Key, peer_port), 2);
  program.Copy(1, 6);
  program.LoadMap(2, sockets);
  program.Copy(3, 10);
  program.Plus(3, kKeyAt);
  program.Set(4, BPF_F_INGRESS);
  program.Call(BPF_FUNC_msg_redirect_hash);
  program.Copy(7, 0);
  program.SkipIfEqual(7, SK_DROP, 10);
  program.StoreNumber(10, kKeyAt, 0);
  program.LoadMap(1, count);
  program.Copy(2, 10);
  program.Plus(2, kKeyAt);
  program.Call(BPF_FUNC_map_lookup_elem);
  program.SkipIfEqual(0, 0, 2);
  program.Set(1, 1);
  program.AddAtomically(0, 1);
  program.Set(0, SK_PASS);
  program.Exit();
  return program;
}

// Lasts as long as this process.
void AttachToGroup(int program, const char* group) {
  bpf_attr attributes{};
  attributes.link_create.prog_fd = program;
  attributes.link_create.target_fd = Must(open(group, O_RDONLY | O_DIRECTORY), group);
  attributes.link_create.attach_type = BPF_CGROUP_SOCK_OPS;
  Must(Bpf(BPF_LINK_CREATE, attributes), "link of the BPF program to the control group");
}

void AttachToMap(int program, int map) {
  bpf_attr attributes{};
  attributes.attach_bpf_fd = program;
  attributes.target_fd = map;
  attributes.attach_type = BPF_SK_MSG_VERDICT;
  Must(Bpf(BPF_PROG_ATTACH, attributes), "BPF program of the map");
}

uint64_t Read(int map) {
  uint32_t key = 0;
  uint64_t value = 0;
  bpf_attr attributes{};
  attributes.map_fd = map;
  attributes.key = reinterpret_cast<uintptr_t>(&key);
  attributes.value = reinterpret_cast<uintptr_t>(&value);
  Must(Bpf(BPF_MAP_LOOKUP_ELEM, attributes), "count");
  return value;
}

void Run(const char* group) {
  int sockets = NewMap(BPF_MAP_TYPE_SOCKHASH, sizeof(Key), sizeof(uint32_t), kSocketsMax);
  int count = NewMap(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), sizeof(uint64_t), 1);
  AttachToMap(HandOver(sockets, count).Load(BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT), sockets);
  AttachToGroup(Collect(sockets).Load(BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS), group);
  std::puts("ready");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  std::printf("{\"handed_over\": %llu}\n", static_cast<unsigned long long>(Read(count)));
}

}  // namespace
}  // namespace experiment

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "write: redirect CGROUP\n");
    return 2;
  }
  experiment::Run(argv[1]);
}
