// Says when speedscope has painted: PORT stands for where the answers go.
(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const say = (what, value) =>
    fetch(`http://127.0.0.1:PORT/${what}`, { method: "POST", mode: "no-cors", body: JSON.stringify(value) });
  while (!document.title.endsWith(" - speedscope")) await new Promise((done) => setTimeout(done, 4));
  await frame();
  await frame();
  await say("painted", { ms: performance.now() });
  await say("done", {});
})();
