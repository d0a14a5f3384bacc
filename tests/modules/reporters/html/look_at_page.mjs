// node look_at_page.mjs NODE_MODULES '{"chromium": …, "page": …, "scripts": true, "scheme": "dark", "screenshot": …}'
//
// Opens one page from disk in Chromium, offline, and prints as JSON what is there to be seen: messages on the console,
// requests, texts, pictures and canvases, and what the keyboard does to the first chart.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(process.argv[2] + "/")("playwright-core");
const wanted = JSON.parse(process.argv[3]);

const browser = await chromium.launch({ executablePath: wanted.chromium, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({
  javaScriptEnabled: wanted.scripts ?? true,
  colorScheme: wanted.scheme ?? "light",
  offline: true,
  viewport: { width: wanted.width ?? 1280, height: wanted.height ?? 900 },
});
const page = await context.newPage();
const seen = { console: [], requests: [] };
page.on("console", (message) => seen.console.push(message.text()));
page.on("pageerror", (error) => seen.console.push(String(error)));
page.on("dialog", (dialog) => {
  seen.console.push("dialog: " + dialog.message());
  dialog.dismiss();
});
page.on("request", (request) => seen.requests.push(request.url()));

const start = Date.now();
await page.goto(pathToFileURL(wanted.page).href, { waitUntil: "load" });
await page.locator("h1").waitFor();
seen.milliseconds = Date.now() - start;

// Charts come to life as they are scrolled to.
const charts = page.locator("figure.plot");
seen.charts = await charts.count();
if (wanted.scripts ?? true) {
  for (let i = 0; i < Math.min(seen.charts, 4); ++i) {
    await charts.nth(i).scrollIntoViewIfNeeded();
    await charts.nth(i).locator("canvas").waitFor({ timeout: 20000 });
  }
}
seen.verdict = await page.locator("header strong").innerText();
seen.pictures = await page.locator("svg.chart:visible").count();
seen.canvases = await page.locator("figure.plot canvas:visible").count();
seen.tables = await page.locator("table:visible").count();
seen.too_wide = await page.locator("html").evaluate((root) => root.scrollWidth > root.clientWidth);

if (wanted.keys) {
  const chart = page.locator(".live-chart").first();
  const readout = page.locator(".readout").first();
  await chart.focus();
  seen.label = await chart.getAttribute("aria-label");
  seen.readings = [];
  for (const key of wanted.keys) {
    await page.keyboard.press(key);
    seen.readings.push(await readout.innerText());
  }
}
if (wanted.screenshot) {
  await page.evaluate(() => scrollTo(0, 0)).catch(() => {});
  await page.screenshot({ path: wanted.screenshot, fullPage: wanted.full ?? false });
}
if (wanted.pdf) await page.pdf({ path: wanted.pdf, format: "A4" });
await browser.close();
console.log(JSON.stringify(seen));
