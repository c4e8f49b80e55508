//! What is told of the selected function, and how long names are shortened.

use crate::view_page::in_page;

#[test]
#[ignore = "further end to end"]
fn the_selected_function_has_its_callers_callees_and_lines() {
    let script = r##"
      const part = (id) => document.getElementById(id);
      const shown = () => ({
        name: part("details-name").textContent, file: part("details-file").textContent, figures: part("details-figures").textContent,
        callers: part("details-callers").textContent, callees: part("details-callees").textContent,
        lines: part("details-lines").hidden ? "" : part("details-lines-rows").textContent,
      });
      const result = { before: part("details").hidden };
      await click(page.flame, "heavy", "click");
      await page.code.load();
      await settle();
      result.heavy = shown();
      result.open = !part("details").hidden && part("table").hidden && /side=details/.test(location.hash);
      part("details-callers").querySelector("button").click();
      await settle();
      result.main = shown();
      // Recursion is one function: nobody calls himself.
      page.change({ fn: page.model.byName.get("down") });
      await settle();
      result.down = shown();
      part("functions-tab").click();
      await settle();
      result.closed = part("details").hidden && !part("table").hidden;
      page.change({ fn: null, side: "details" });
      result.nothing = part("details-all").hidden && !part("details-none").hidden;
      return result;
    "##;
    let Some(result) = in_page(script) else {
        return;
    };
    let text = |function: &str, part: &str| result[function][part].as_str().unwrap().to_owned();
    assert_eq!(result["before"], true, "{result:#}");
    assert_eq!(result["open"], true, "{result:#}");
    assert_eq!(text("heavy", "name"), "heavy", "{result:#}");
    assert!(text("heavy", "file").ends_with("/p"), "{result:#}");
    assert!(text("heavy", "figures").contains("66.7 % ± "), "{result:#}");
    assert!(
        text("heavy", "callers").starts_with("100.0 %main"),
        "{result:#}"
    );
    assert_eq!(
        text("heavy", "callees"),
        "100.0 %its own instructions",
        "{result:#}"
    );
    assert!(text("heavy", "lines").contains("1664525u"), "{result:#}");
    assert_eq!(text("main", "name"), "main", "{result:#}");
    assert_eq!(
        text("main", "callees"),
        "66.7 %heavy33.3 %down",
        "{result:#}"
    );
    assert_eq!(text("down", "callers"), "100.0 %main", "{result:#}");
    assert_eq!(text("down", "callees"), "100.0 %light", "{result:#}");
    assert_eq!(result["closed"], true, "{result:#}");
    assert_eq!(result["nothing"], true, "{result:#}");
}

/// Names as C++, Rust, Go and Java have them, and their shortest form.
const NAMES: [(&str, &str); 17] = [
    (
        "clang::Parser::ParseExpression(clang::Parser::TypeCastState)",
        "ParseExpression",
    ),
    (
        "void std::__push_heap<a::b<c*, d>, long>(int, long)",
        "__push_heap",
    ),
    (
        "std::_Bit_reference::operator bool() const",
        "operator bool",
    ),
    ("shop::Price::operator()(int) const", "Price::operator()"),
    (
        "std::function<void (int)>::operator()(int) const",
        "function::operator()",
    ),
    ("(anonymous namespace)::Pass::run(llvm::Function&)", "run"),
    ("a::f(void (*)(int), int) [clone .cold]", "f"),
    ("int&& a::b::g() const &", "g"),
    (
        "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop",
        "drop",
    ),
    ("hone_fdo::Merged::add::{{closure}}", "add::{{closure}}"),
    ("net/http.(*conn).serve", "serve"),
    ("github.com/a/b.(*handler).OnRead.func1", "OnRead.func1"),
    ("java.util.HashMap.put", "put"),
    ("exc_page_fault", "exc_page_fault"),
    ("[unnamed, 32 bytes at 0x28fe2d0]", "[0x28fe2d0]"),
    ("a<b", "a"),
    (")(::<>", ")("),
];

#[test]
#[ignore = "further end to end"]
fn long_names_keep_their_last_part() {
    let names = serde_json::to_string(&NAMES.map(|(name, _)| name)).unwrap();
    let script = format!(
        r##"
      const names = {names};
      const long = "a::".repeat(3000) + "<".repeat(5000) + "(".repeat(2000);
      const flame = page.flame;
      return {{ forms: names.map(formsOf), long: formsOf(long).length > 0, whole: shortened(names[0], 99), short: shortened(names[0], 24),
        cut: flame.cut("ParseExpression", flame.widthOf("ParseEx…") + 0.1), nothing: flame.cut("ParseExpression", 8) }};"##
    );
    let Some(result) = in_page(&script) else {
        return;
    };
    for (at, (name, last)) in NAMES.iter().enumerate() {
        let forms = result["forms"][at].as_array().unwrap();
        assert_eq!(forms[0], *name, "the first form is the whole name");
        assert_eq!(forms.last().unwrap(), last, "{forms:?}");
        let lengths = forms.iter().map(|form| form.as_str().unwrap().len());
        assert!(lengths.is_sorted_by(|a, b| a >= b), "{forms:?}");
    }
    assert_eq!(result["long"], true);
    assert_eq!(result["whole"], "clang::Parser::ParseExpression");
    assert_eq!(result["short"], "…::ParseExpression");
    assert_eq!(result["cut"], "ParseEx…");
    assert_eq!(result["nothing"], "");
}
