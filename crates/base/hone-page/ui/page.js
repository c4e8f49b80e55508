// What scripts of all pages share: text to the clipboard, and files to save.

/** Copies a text; false where the browser does not let the page. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByHand(text);
  }
}

/** For browsers that have no clipboard for pages from files. */
function copiedByHand(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}

/** Has the browser save a file. */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\w.+-]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
