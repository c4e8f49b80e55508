import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** Counts words that it makes up, on all CPUs, for a fixed number of rounds. */
final class Words {
    static int count(int seed) {
        Map<String, Integer> counts = new HashMap<>();
        long state = seed;
        for (int i = 0; i < 4000; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            counts.merge("word" + Math.floorMod(state >> 33, 997L), 1, Integer::sum);
        }
        return counts.size();
    }

    public static void main(String[] arguments) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        long sum = pool.submit(() -> IntStream.range(0, 12000).parallel().mapToLong(Words::count).sum()).get();
        System.out.println(sum);
    }
}
