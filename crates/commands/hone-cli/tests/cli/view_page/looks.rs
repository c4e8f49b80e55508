//! How the page looks: colours that can be told apart and read, the axis of time, and a phone.

use crate::view_page::in_page;

/// The contrast of text on every colour (WCAG 2), and how far colours are apart (CIE 1976) with normal sight and with the
/// three kinds of colour blindness (Machado, Oliveira and Fernandes, 2009).
const SIGHT: &str = r##"
  const channels = (colour) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  };
  const luminance = (colour) => channels(colour).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const SIGHTS = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
  ];
  const lab = ([r, g, b]) => {
    const root = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const seen = (colour, sight) => lab(sight.map((row) =>
    Math.min(Math.max(channels(colour).reduce((sum, c, at) => sum + c * row[at], 0), 0), 1)));
  const apart = (a, b) => Math.min(...SIGHTS.map((sight) => Math.hypot(...seen(a, sight).map((v, at) => v - seen(b, sight)[at]))));
"##;

#[test]
#[ignore = "further end to end"]
fn colours_can_be_told_apart_and_text_on_them_read() {
    let script = format!(
        r##"{SIGHT}
      const places = [...LIGHT.binaries.keys(), "kernel", "others"];
      let text = Infinity, between = Infinity;
      for (const isDark of [false, true]) {{
        const ink = isDark ? "#fff" : "#000";
        const all = places.map((place) => shaded(place, 0, isDark));
        for (const place of places) for (let shade = 0; shade < SHADES; shade++) text = Math.min(text, contrast(shaded(place, shade, isDark), ink));
        for (let change = -1; change <= 1; change += 0.05) text = Math.min(text, contrast(colourOfChange(change, isDark), ink));
        for (let share = 0; share <= 1; share += 0.05) text = Math.min(text, contrast(colourOfHeat(share, isDark), ink));
        all.forEach((a, at) => all.slice(0, at).forEach((b) => {{ between = Math.min(between, apart(a, b)); }}));
      }}
      const style = getComputedStyle(document.body);
      const soft = contrast(getComputedStyle(document.getElementById("facts")).color, style.backgroundColor);
      // Neighbours of one binary differ too.
      const painted = page.flame.boxes.filter(({{ node }}) => node.parent !== null);
      const same = painted.filter(({{ node }}) => {{
        const siblings = page.flame.children(node.parent);
        const next = siblings[siblings.indexOf(node) + 1];
        return next !== undefined && page.colour(next) === page.colour(node);
      }});
      const legend = [...document.querySelectorAll("#binaries li")].map((item) => item.textContent);
      const weights = new Map([["/a/b", 5], ["[kernel]", 3], ["[anon]", 9], ...Array.from({{ length: 12 }}, (_, at) => [`/l${{at}}`, 1])]);
      const made = placesOfBinaries(weights);
      const entries = legendOf(weights, made);
      return {{ text, between, soft, same: same.length, boxes: painted.length, legend,
               made: [made.get("/a/b"), made.get("[kernel]"), made.get("[anon]"), made.get("/l9")], last: entries.at(-1).text }};"##
    );
    let Some(result) = in_page(&script) else {
        return;
    };
    assert!(result["text"].as_f64().unwrap() >= 4.5, "{result:#}");
    assert!(result["soft"].as_f64().unwrap() >= 4.5, "{result:#}");
    // A difference of 2.3 is just noticed.
    assert!(result["between"].as_f64().unwrap() >= 12.0, "{result:#}");
    assert_eq!(result["same"], 0, "{result:#}");
    assert!(result["boxes"].as_u64().unwrap() >= 5, "{result:#}");
    let legend = result["legend"].as_array().unwrap();
    let first = legend[0].as_str().unwrap();
    assert!(
        first.starts_with("p ") && first.ends_with(" %"),
        "{result:#}"
    );
    assert_eq!(
        result["made"],
        serde_json::json!([0, "kernel", "others", "others"]),
        "{result:#}"
    );
    assert_eq!(result["last"], "7 others", "{result:#}");
}

#[test]
#[ignore = "further end to end"]
fn time_has_an_axis_and_a_phone_has_room() {
    let script = r##"
      const result = { ticks: [tickTimes(12.3e6, 10), tickTimes(950e3, 3), tickTimes(0.5, 4)], tops: [0.3, 1, 2.4, 63].map((use) => niceAbove(use, [1, 2, 3, 4, 6, 8, 10])) };
      const all = CanvasRenderingContext2D.prototype.fillText;
      const texts = [];
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) { texts.push(text); all.call(this, text, ...rest); };
      page.timeline.draw();
      CanvasRenderingContext2D.prototype.fillText = all;
      result.texts = texts;
      const { duration, samples } = page.recording;
      const use = page.timeline.use;
      result.mean = use.reduce((sum, cpus) => sum + cpus, 0) / use.length;
      result.expected = samples.weight.reduce((sum, weight) => sum + weight, 0) / 1e3 / duration;

      const frame = await framed(375, 800);
      const inside = frame.contentDocument;
      const phone = frame.contentWindow.page;
      const sizes = () => [...inside.querySelectorAll("button, select, input")].map((part) => [part.id || part.textContent, part.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0).map(([name, { width, height }]) => ({ name, width, height }));
      const fn = phone.model.byName.get("light");
      result.closed = sizes().map(({ name }) => name);
      inside.getElementById("menu-button").click();
      const pages = [{ fn }, { focus: fn, code: "assembly" }, { view: "sandwich", finding: null, code: null }, { view: "chart" }].map((state) => {
        phone.change(state);
        for (const name of ["menu", "options"]) inside.getElementById(name).classList.add("open");
        return { small: sizes().filter(({ width, height }) => width < 40 || height < 40), width: inside.documentElement.scrollWidth, parts: sizes().length };
      });
      return { ...result, pages, window: frame.contentWindow.innerWidth };
    "##;
    let Some(result) = in_page(script) else {
        return;
    };
    let ticks = serde_json::json!([
        [0.0, 2e6, 4e6, 6e6, 8e6, 10e6, 12e6],
        [0.0, 5e5],
        [0.0, 0.2, 0.4]
    ]);
    for (made, wanted) in result["ticks"]
        .as_array()
        .unwrap()
        .iter()
        .zip(ticks.as_array().unwrap())
    {
        let numbers = |list: &serde_json::Value| -> Vec<f64> {
            list.as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_f64().unwrap())
                .collect()
        };
        let (made, wanted) = (numbers(made), numbers(wanted));
        assert_eq!(made.len(), wanted.len(), "{result:#}");
        assert!(
            made.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6),
            "{result:#}"
        );
    }
    let texts = result["texts"].as_array().unwrap();
    let has = |end: &str| {
        texts
            .iter()
            .any(|text| text.as_str().unwrap().ends_with(end))
    };
    assert!(has(" s") && (has(" CPU") || has(" CPUs")), "{result:#}");
    let (mean, expected) = (&result["mean"], &result["expected"]);
    let ratio = mean.as_f64().unwrap() / expected.as_f64().unwrap();
    assert!((ratio - 1.0).abs() < 1e-6, "{result:#}");
    assert_eq!(result["window"], 375, "{result:#}");
    let closed = result["closed"].as_array().unwrap();
    assert!(!closed.contains(&"thread".into()), "{result:#}");
    for page in result["pages"].as_array().unwrap() {
        assert_eq!(page["small"], serde_json::json!([]), "{result:#}");
        assert!(page["width"].as_u64().unwrap() <= 375, "{result:#}");
        assert!(page["parts"].as_u64().unwrap() > 15, "{result:#}");
    }
}
