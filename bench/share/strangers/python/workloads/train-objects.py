"""Objects with methods, generators and closures: a queue of events with a heap of its own."""


class Heap:
    def __init__(self):
        self.items = []

    def push(self, key, value):
        items, at = self.items, len(self.items)
        items.append(None)
        while at > 0:
            up = (at - 1) >> 1
            if items[up][0] <= key:
                break
            items[at] = items[up]
            at = up
        items[at] = (key, value)

    def pop(self):
        items = self.items
        top, last = items[0], items.pop()
        at, count = 0, len(items)
        while (down := 2 * at + 1) < count:
            if down + 1 < count and items[down + 1][0] < items[down][0]:
                down += 1
            if last[0] <= items[down][0]:
                break
            items[at] = items[down]
            at = down
        if items:
            items[at] = last
        return top


def rolls(state=12345):
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state >> 8


class Arrive:
    def act(self, now, heap, roll):
        heap.push(now + 1 + next(roll) % 50, LEAVE)
        return 1


class Leave:
    def act(self, now, heap, roll):
        heap.push(now + 1 + next(roll) % 30, ARRIVE if next(roll) % 2 else WAIT)
        return -1


class Wait:
    def act(self, now, heap, roll):
        heap.push(now + 1, ARRIVE)
        return 0


ARRIVE, LEAVE, WAIT = Arrive(), Leave(), Wait()
heap, roll = Heap(), rolls()
for start in range(500):
    heap.push(start, ARRIVE)
inside = total = 0
for _ in range(400_000):
    now, event = heap.pop()
    inside += event.act(now, heap, roll)
    total = (total + inside * now) % 1_000_003
print(inside, total)
