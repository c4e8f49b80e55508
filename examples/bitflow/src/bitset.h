// Sets of small numbers, as std::vector<bool> holds them: one at a time.
#pragma once
#include <cstddef>
#include <vector>

class BitSet {
public:
    explicit BitSet(std::size_t size = 0, bool full = false) : bits(size, full) {}
    bool has(std::size_t item) const { return bits[item]; }
    void add(std::size_t item) { bits[item] = true; }
    void remove(std::size_t item) { bits[item] = false; }
    std::size_t size() const { return bits.size(); }
    bool operator==(const BitSet &other) const { return bits == other.bits; }

    BitSet &operator|=(const BitSet &other) {
        for (std::size_t item = 0; item < bits.size(); item++)
            if (other.bits[item])
                bits[item] = true;
        return *this;
    }
    BitSet &operator&=(const BitSet &other) {
        for (std::size_t item = 0; item < bits.size(); item++)
            bits[item] = bits[item] && other.bits[item];
        return *this;
    }
    BitSet &operator-=(const BitSet &other) {
        for (std::size_t item = 0; item < bits.size(); item++)
            if (other.bits[item])
                bits[item] = false;
        return *this;
    }
    std::size_t count() const {
        std::size_t found = 0;
        for (bool bit : bits)
            found += bit;
        return found;
    }
    template <typename Visit> void each(Visit visit) const {
        for (std::size_t item = 0; item < bits.size(); item++)
            if (bits[item])
                visit(item);
    }

private:
    std::vector<bool> bits;
};
