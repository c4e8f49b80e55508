// Views with names, kept in this browser.

const SAVED = "hone-hub-views";

class SavedViews {
  /** `onChoose(fragment)` is called for a view that was saved, `nowOf()` gives the fragment of what is looked at. */
  constructor(parts, { onChoose, nowOf }) {
    this.parts = parts;
    parts.saved.addEventListener("change", () => {
      const { value } = parts.saved;
      parts.saved.value = "";
      if (value in this.views) onChoose(this.views[value]);
    });
    parts["save-form"].addEventListener("submit", (event) => {
      event.preventDefault();
      const name = parts["save-name"].value.trim();
      if (name !== "") this.keep({ ...this.views, [name]: nowOf() });
      parts["save-view"].close();
    });
    parts["save-button"].addEventListener("click", () => parts["save-view"].showModal());
    parts["forget-button"].addEventListener("click", () => {
      const { [parts["save-name"].value.trim()]: forgotten, ...rest } = this.views;
      this.keep(rest);
      parts["save-view"].close();
    });
    parts["save-close"].addEventListener("click", () => parts["save-view"].close());
    this.show();
  }

  get views() {
    try {
      const views = JSON.parse(localStorage.getItem(SAVED) ?? "{}");
      return Object.fromEntries(Object.entries(views).filter(([, fragment]) => typeof fragment === "string"));
    } catch {
      return {};
    }
  }

  keep(views) {
    localStorage.setItem(SAVED, JSON.stringify(views));
    this.show();
  }

  show() {
    const names = Object.keys(this.views).sort();
    const options = [["", "Saved views"], ...names.map((name) => [name, name])].map(([value, text]) => optionOf(value, text));
    this.parts.saved.replaceChildren(...options);
    this.parts.saved.hidden = names.length === 0;
    this.parts["save-names"].replaceChildren(...options.slice(1).map((option) => option.cloneNode()));
  }
}
