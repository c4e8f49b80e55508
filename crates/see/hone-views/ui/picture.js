// Pictures of a graph to take away: SVG with the names of all frames, and PNG of the same.

const PICTURE_WIDTH = 1600;
const PICTURE_ROWS_MAX = 400;
const PICTURE_FRAME_MIN = 1; // Pixels; what is narrower would make the file many times as long.
const PICTURE_FONT = "12px system-ui, sans-serif";
const TITLE_HEIGHT = 26;

/** A graph from the frame that is zoomed into, in all its rows, as the text of an SVG. `wordsOf(node)`: figures and name. */
function pictureOf(graph, title, wordsOf) {
  const { style } = graph;
  const boxes = graph.layout(PICTURE_WIDTH, PICTURE_ROWS_MAX).filter(({ left, right }) => right - left >= PICTURE_FRAME_MIN);
  const rows = boxes.reduce((most, { node }) => Math.max(most, node.depth + 1), 1);
  const height = TITLE_HEIGHT + rows * ROW;
  const ink = escaped(style.color);
  const frames = boxes.map((box) => {
    const { node, left, right } = box;
    const row = graph.view.upwards() ? rows - 1 - node.depth : node.depth;
    const top = TITLE_HEIGHT + row * ROW;
    const isFound = graph.isFound(node);
    const fill = isFound ? style.getPropertyValue("--found") : graph.view.colour(node);
    const faint = graph.matches === null || isFound ? "" : ` fill-opacity="${DIMMED}"`;
    const width = right - left - (right - left > 3 ? 1 : 0);
    const edge = node.inlined && width > 6 ? ` stroke="${escaped(style.getPropertyValue("--inlined").trim())}"` : "";
    const text = graph.textIn(box);
    const letters = text === "" ? "" : `<text x="${(left + TEXT_GAP).toFixed(1)}" y="${top + ROW - 5}">${plainText(text)}</text>`;
    return `<g><title>${plainText(wordsOf(node).join("  "))}</title><rect x="${left.toFixed(2)}" y="${top}" width="${width.toFixed(2)}" height="${ROW - 1}" ` +
      `fill="${escaped(fill.trim())}"${faint}${edge}/>${letters}</g>`;
  });
  const paper = escaped(style.getPropertyValue("--paper").trim());
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${height}" viewBox="0 0 ${PICTURE_WIDTH} ${height}" ` +
    `style="font:${PICTURE_FONT}" fill="${ink}"><rect width="100%" height="100%" fill="${paper}"/>` +
    `<text x="4" y="17">${plainText(title)}</text>\n${frames.join("\n")}\n</svg>\n`;
}

/** A text that may stand in XML, which has no letters of control. */
function plainText(text) {
  return escaped(text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, " "));
}

/** An SVG as a PNG, with two dots for a pixel. */
async function pngOf(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
