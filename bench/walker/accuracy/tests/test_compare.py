"""The comparer on recordings whose errors are known, because they were planted."""

import unittest
from collections import Counter

from common import Steps, meeting, truth, walks

import compare
import curve


class ExactCounts(unittest.TestCase):
    def setUp(self):
        self.steps = Steps()
        # Two rounds light, one heavy with the skip, one heavy without, from loop head to loop head.
        light = [(0x1004, 0x2000), (0x2002, 0x1006), (0x1006, 0x1000)]
        skip = [(0x1004, 0x3000), (0x3002, 0x3006), (0x3008, 0x1006), (0x1006, 0x1000)]
        through = [(0x1004, 0x3000), (0x3008, 0x1006), (0x1006, 0x1000)]
        self.head = [(0x1006, 0x1000)]
        self.rounds = light + light + skip + through
        self.walk = self.steps.of(self.head + self.rounds)
        self.true = truth(heavy=0.5, skip=0.5, rounds=4000)
        self.true.counts.pop(0x1008)

    def figures(self, walk):
        grid = meeting(self.true, self.steps)
        return grid, grid.profile(compare.count_steps([walk])), grid.calls(compare.count_steps([walk]))

    def test_a_recording_equal_to_the_truth_agrees_fully(self):
        grid, profile, calls = self.figures(self.walk)
        self.assertAlmostEqual(grid.overlap(profile), 1.0)
        errors = compare.entry_errors(grid, profile, compare.hottest_functions(grid))
        self.assertEqual(len(errors), 3)
        self.assertTrue(all(abs(error) < 1e-12 for error in errors))
        self.assertEqual(compare.share_errors(grid, calls, 0x1004), {0x2000: 0.0, 0x3000: 0.0})
        self.assertEqual(grid.broken, {})

    def test_repeated_string_instructions_do_not_count(self):
        grid, profile, _ = self.figures(self.walk)
        self.true.counts[0x3004] *= 100
        self.assertAlmostEqual(meeting(self.true, self.steps).overlap(profile), 1.0)

    def test_a_planted_count_shows(self):
        self.true.counts[0x2000] *= 2
        grid, profile, _ = self.figures(self.walk)
        total = sum(n for address, n in self.true.counts.items() if address != 0x3004)
        before = total - 2000
        expected = sum(min(n / total, (2000 if address == 0x2000 else n) / before)
                       for address, n in self.true.counts.items() if address != 0x3004)
        self.assertLess(expected, 0.95)
        self.assertAlmostEqual(grid.overlap(profile), expected)
        errors = dict(zip((name for _, name in compare.hottest_functions(grid)),
                          compare.entry_errors(grid, profile, compare.hottest_functions(grid))))
        self.assertAlmostEqual(errors["light"], total / before / 2 - 1)

    def test_planted_calls_show(self):
        self.true.calls = Counter({(0x1004, 0x2000): 900, (0x1004, 0x3000): 100})
        grid, _, calls = self.figures(self.walk)
        errors = compare.share_errors(grid, calls, 0x1004)
        self.assertAlmostEqual(errors[0x3000], 0.4)
        self.assertAlmostEqual(errors[0x2000], -0.4)

    def test_a_target_never_recorded_and_one_that_is_false_show(self):
        self.true.calls = Counter({(0x1004, 0x2000): 500, (0x1004, 0x4000): 500})
        grid, _, calls = self.figures(self.walk)
        errors = compare.share_errors(grid, calls, 0x1004)
        self.assertEqual(errors, {0x2000: 0.0, 0x3000: 0.5, 0x4000: -0.5})

    def test_impossible_ranges_are_told(self):
        for branches, why in [
            ([(0x1004, 0x2000), (0x3008, 0x1006)], "a range runs through a jump"),
            ([(0x1004, 0x3000), (0x2002, 0x1006)], "a range runs backwards"),
            ([(0x1004, 0x2001), (0x2002, 0x1006)], "an end is no instruction"),
            ([(0x1004, 0x2000), (0x2000, 0x1006)], "a branch is no branch instruction"),
            ([(0x1004, 0x2000), (None, 0x1006)], "a range enters or leaves the binary without a branch"),
        ]:
            steps = Steps()
            walk = steps.of(branches)
            grid = meeting(self.true, steps)
            self.assertEqual(compare.broken(grid, compare.count_steps([walk])), {why: 1})

    def test_code_never_recorded_lowers_the_coverage(self):
        light_only = self.steps.of(self.head + self.rounds[:6])
        grid, profile, _ = self.figures(light_only)
        covered = compare.coverage(grid, profile)
        # Four instructions of heavy, 2000 times each, of 24000 in all.
        self.assertAlmostEqual(covered["blocks"], 1 - 8000 / 24000)
        self.assertEqual((covered["functions_seen"], covered["functions_executed"]), (2, 3))


class NoiseAndBias(unittest.TestCase):
    def test_walks_without_bias_show_noise_alone(self):
        outside = [0, 0]
        for seed in range(40):
            steps = Steps()
            taken = walks(steps, 200, 30, seed)
            grid = meeting(truth(), steps)
            bias = compare.Bias(grid, compare.folds_of(grid, taken, seed), compare.hottest_functions(grid))
            outside[0] += not bias.loss["low"] <= 0 <= bias.loss["high"]
            outside[1] += not bias.entries["low"] <= 0 <= bias.entries["high"]
        # 1 in 20 is expected, 2 of 40; 7 or more would come once in 150 times.
        self.assertLess(max(outside), 7, outside)

    def test_the_noise_is_that_of_independent_recordings(self):
        predicted, seen = [], []
        for seed in range(30):
            steps = Steps()
            taken = walks(steps, 100, 30, seed)
            grid = meeting(truth(), steps)
            profile = grid.profile(compare.count_steps(taken))
            seen.append(1 - grid.overlap(profile))
            if seed < 5:
                again = [1 - grid.overlap(grid.profile(counts), profile) for counts in compare.resampled(taken, seed)]
                predicted.append(sum(again) / len(again))
        ratio = (sum(predicted) / len(predicted)) / (sum(seen) / len(seen))
        self.assertTrue(0.7 < ratio < 1.4, ratio)

    def test_a_bias_is_found_and_sized(self):
        steps = Steps()
        taken = walks(steps, 4000, 30, seed=3, heavy=0.30)
        grid = meeting(truth(heavy=0.25), steps)
        result = compare.compare(grid, taken)
        bias = result["overlap"]["loss_by_bias_at_least"]
        self.assertGreater(bias["low"], 0.01)
        self.assertLess(result["overlap"]["loss_by_noise"], 0.01)
        self.assertLess(abs(bias["estimate"] - result["overlap"]["loss"]), 0.005)
        self.assertGreater(result["entries"]["bias_root_mean_square"]["low"], 0.05)
        row = result["calls"]["rows"][0]
        self.assertAlmostEqual(abs(row["error"]), 0.05, delta=0.01)
        self.assertLess(row["standard_error"], 0.005)
        self.assertEqual(result["calls"]["beyond_noise"], 1)

    def test_pieces_counted_twice_show(self):
        steps = Steps()
        taken = walks(steps, 2000, 31, seed=5)
        grid = meeting(truth(), steps)
        fair = compare.Bias(grid, compare.folds_of(grid, taken, 1), []).loss
        every_skip_twice = {n for n, (_, source, _) in enumerate(steps.table) if source == 0x3002}
        doubled = [type(walk)("I", [step for s in walk for step in [s] * (1 + (s in every_skip_twice))])
                   for walk in taken]
        unfair = compare.Bias(grid, compare.folds_of(grid, doubled, 1), []).loss
        self.assertLess(fair["low"], 0)
        self.assertGreater(unfair["low"], 0.01)


class Curve(unittest.TestCase):
    def test_walks_that_start_in_one_place_mend_with_length_and_burn_in(self):
        steps = Steps()
        taken = walks(steps, 600, 600, seed=9, start_in_heavy=1.0)
        grid = meeting(truth(), steps)
        result = curve.curve(grid, taken, fixed_us=40, marginal_us=0.25)
        cells = {(c["length"], c["burn_in"]): c for c in result["cells"]}
        bias = {key: c["all"]["loss_by_bias_at_least"]["estimate"] for key, c in cells.items()}
        self.assertGreater(bias[32, 0], 2 * bias[128, 0])
        self.assertGreater(bias[128, 0], bias[512, 0])
        self.assertLess(abs(bias[32, 16]), bias[32, 0] / 5)
        self.assertEqual(cells[512, 0]["full_length"], 1.0)
        self.assertEqual(cells[1024, 0]["full_length"], 0.0)

    def test_equal_branches_and_equal_cost_are_equal(self):
        steps = Steps()
        taken = walks(steps, 130, 4400, seed=2)
        result = curve.curve(meeting(truth(), steps), taken, fixed_us=40, marginal_us=0.25)
        for c in result["cells"]:
            if c["branches"]:
                self.assertAlmostEqual(c["branches"]["branches"] / result["branches"], 1, delta=0.34)
            if c["cost"]:
                spent = c["cost"]["walks"] * curve.cost_us(c["length"], c["burn_in"], 40, 0.25)
                self.assertLess(abs(spent - result["afforded_us"]), curve.cost_us(c["length"], c["burn_in"], 40, 0.25))
        self.assertEqual(sum(c["branches"] is not None for c in result["cells"]), 32)


if __name__ == "__main__":
    unittest.main()
