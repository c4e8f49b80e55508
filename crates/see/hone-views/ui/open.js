// Files of other profilers that are dropped on the page, or chosen, and shown beside what there is.

const FILE_BYTES_MAX = 512 * 2 ** 20;

class Opener {
  constructor(page) {
    this.page = page;
    const { files } = page.parts;
    files.addEventListener("change", () => this.open(files.files));
    document.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.open(event.dataTransfer.files);
    });
  }

  /** Reads files, and looks at the last one that could be read. */
  async open(files) {
    const { page } = this;
    const errors = [];
    let now = null;
    for (const file of files) {
      try {
        if (file.size > FILE_BYTES_MAX) throw new Error("it has more than 512 MiB: `hone view FILE` reads it");
        now = page.model.open(file.name, await readProfile(new Uint8Array(await file.arrayBuffer())));
      } catch (error) {
        errors.push(`${file.name} cannot be shown: ${error.message}.`);
      }
    }
    if (now !== null) {
      page.places = undefined;
      page.change({ now, old: -1, base: null, range: null, thread: null, process: null, ...unmoved() });
    }
    const text = errors.join(" ") || `${page.recording.name} is shown.`;
    page.parts.status.textContent = text;
    page.announce(text);
  }
}

function hasFiles(event) {
  return [...(event.dataTransfer?.types ?? [])].includes("Files");
}
