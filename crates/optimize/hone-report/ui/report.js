// Adds to the page what needs a script: copy buttons, and a button that saves the embedded JSON.
"use strict";

for (const button of document.querySelectorAll(".needs-script")) {
  button.hidden = false;
}

async function copy(block) {
  const text = block.textContent;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard for this page: select the lines, so that the user's own copy key takes them.
    const range = document.createRange();
    range.selectNodeContents(block);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return false;
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const resting = button.textContent;
  button.addEventListener("click", async () => {
    const block = button.closest("figure").querySelector(button.dataset.copy);
    button.textContent = (await copy(block)) ? "Copied" : "Selected: press Ctrl-C";
    setTimeout(() => { button.textContent = resting; }, 2500);
  });
}

for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", () => {
    const json = document.getElementById(button.dataset.save).textContent;
    save(new Blob([json], { type: "application/json" }), `${button.dataset.save}.json`);
  });
}
