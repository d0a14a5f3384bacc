// Draws every chart again, once it is seen, with a cursor and zoom. The picture stays for print, and for whoever runs no
// scripts.
(() => {
  "use strict";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

  const number = (value) => {
    const size = Math.abs(value);
    if (size >= 1000 && size < 1e7) return value.toFixed(0);
    return String(Number(value.toPrecision(4)));
  };

  const bytes = (value) => {
    let unit = 0;
    for (; Math.abs(value) >= 1024 && unit + 1 < units.length; ++unit) value /= 1024;
    return (value === Math.floor(value) ? String(value) : value.toFixed(1)) + " " + units[unit];
  };

  const quantity = (value, unit) => {
    if (unit === "B") return bytes(value);
    return number(value) + (unit && unit !== "1" ? " " + unit : "");
  };

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const translucent = (hex) => hex + "33";

  const scale = (kind) => (kind === "linear" ? { distr: 1 } : { distr: 3, log: kind === "log2" ? 2 : 10 });

  // One list of x for all series, as uPlot wants it, and for each series its values there.
  const aligned = (chart) => {
    const all = chart.series.flatMap((series) => series.points.map((point) => point[0]));
    const xs = [...new Set(all)].sort((a, b) => a - b);
    const column = (pairs) => {
      const values = new Map(pairs);
      return xs.map((x) => (values.has(x) ? values.get(x) : null));
    };
    const data = [xs];
    for (const series of chart.series) {
      data.push(column(series.points));
      if (series.band.length === 0) continue;
      data.push(column(series.band.map((range) => [range[0], range[2]])));
      data.push(column(series.band.map((range) => [range[0], range[1]])));
    }
    return data;
  };

  const lines = (chart) => {
    const series = [{}];
    const bands = [];
    for (const each of chart.series) {
      const stroke = colour("--series-" + each.colour);
      series.push({
        label: each.name,
        stroke,
        width: 2,
        dash: each.dashed ? [7, 4] : undefined,
        spanGaps: true,
        points: { show: true, size: 6, fill: stroke },
      });
      if (each.band.length === 0) continue;
      const edge = { stroke: translucent(stroke), width: 1, spanGaps: true, points: { show: false } };
      series.push({ ...edge }, { ...edge });
      bands.push({ series: [series.length - 2, series.length - 1], fill: translucent(stroke) });
    }
    return { series, bands };
  };

  // Everything that is drawn stays in sight: what is measured and the lines across.
  const yRange = (chart) => (plot, least, most) => {
    if (least === null || most === null) return [1, 10];
    const values = chart.lines.map((line) => line.y).concat(least, most);
    const low = Math.min(...values);
    const high = Math.max(...values);
    if (chart.y.ticks) return [Math.min(low, chart.y.ticks[0]), Math.max(high, chart.y.ticks.at(-1))];
    if (low >= 0) return [0, high > 0 ? high * 1.06 : 1];
    return uPlot.rangeNum(low, high, 0.06, true);
  };

  const drawExtras = (chart) => (plot) => {
    const context = plot.ctx;
    const { left, top, width, height } = plot.bbox;
    const ratio = devicePixelRatio;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.strokeStyle = context.fillStyle = colour("--reference");
    context.font = 12 * ratio + "px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    for (const line of chart.lines) {
      const y = plot.valToPos(line.y, "y", true);
      context.lineWidth = 1.5 * ratio;
      context.setLineDash([10 * ratio, 4 * ratio, 2 * ratio, 4 * ratio]);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(left + width, y);
      context.stroke();
      const hasRoomAbove = y - top > 18 * ratio;
      context.fillText(
        line.name + " " + quantity(line.y, chart.y.unit),
        left + 6 * ratio,
        hasRoomAbove ? y - 5 * ratio : y + 14 * ratio,
      );
    }
    context.restore();
    context.save();
    context.strokeStyle = colour("--failed");
    context.lineWidth = 2 * ratio;
    const { min, max } = plot.scales.x;
    for (const [markX, markY] of chart.marks.filter(([x]) => x >= min && x <= max)) {
      const x = plot.valToPos(markX, "x", true);
      const y = plot.valToPos(markY, "y", true);
      const arm = 4.5 * ratio;
      context.beginPath();
      context.arc(x, y, 8 * ratio, 0, 2 * Math.PI);
      context.moveTo(x - arm, y - arm);
      context.lineTo(x + arm, y + arm);
      context.moveTo(x + arm, y - arm);
      context.lineTo(x - arm, y + arm);
      context.stroke();
    }
    context.restore();
  };

  // What stands under the cursor, as text.
  const reading = (chart, plot) => {
    const index = plot.cursor.idx;
    if (index === null || index === undefined) return "";
    const parts = [];
    let column = 1;
    for (const series of chart.series) {
      const value = plot.data[column][index];
      const has = series.band.length > 0;
      if (value !== null) {
        let text = series.name + " " + quantity(value, chart.y.unit);
        if (has) {
          const most = quantity(plot.data[column + 1][index], chart.y.unit);
          const least = quantity(plot.data[column + 2][index], chart.y.unit);
          text += " (" + least + " to " + most + ")";
        }
        parts.push(text);
      }
      column += has ? 3 : 1;
    }
    return "At " + quantity(plot.data[0][index], chart.x.unit) + ": " + parts.join(" · ");
  };

  const axis = (unit, named) => ({
    stroke: colour("--axis"),
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { stroke: colour("--axis"), width: 1, size: 5 },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    values: (plot, splits) =>
      splits.map((value) => (value === null ? null : unit === "B" ? bytes(value) : number(value))),
    ...named,
  });

  const xLabel = (chart) =>
    chart.x.unit && chart.x.unit !== "B" ? chart.x.title + " (" + chart.x.unit + ")" : chart.x.title;

  const options = (chart, width, readout) => ({
    width,
    height: Math.round((width * 4) / 7),
    legend: { show: false },
    cursor: { drag: { x: true, y: false }, points: { size: 9 } },
    scales: {
      x: { time: false, ...scale(chart.x.scale), range: (plot, least, most) => [least, most === least ? least * 2 || 1 : most] },
      y: { ...scale(chart.y.scale), range: yRange(chart) },
    },
    axes: [
      axis(chart.x.unit, { label: xLabel(chart), labelSize: 20, size: 34, space: 64 }),
      axis(chart.y.unit, {
        label: chart.y.unit,
        labelSize: 16,
        size: 56,
        ...(chart.y.ticks ? { splits: () => chart.y.ticks, filter: (plot, splits) => splits } : {}),
      }),
    ],
    ...lines(chart),
    hooks: {
      draw: [drawExtras(chart)],
      setCursor: [
        (plot) => {
          const text = reading(chart, plot);
          if (text !== "") readout.textContent = text;
        },
      ],
    },
  });

  // Arrow keys read point after point, + and − zoom around the cursor, Escape shows everything again.
  const onKey = (plot, event) => {
    const xs = plot.data[0];
    const at = plot.cursor.idx ?? 0;
    const show = (index) => {
      const next = Math.max(0, Math.min(xs.length - 1, index));
      plot.setCursor({ left: plot.valToPos(xs[next], "x"), top: plot.over.clientHeight / 2 });
    };
    const zoom = (factor) => {
      const first = xs.findIndex((x) => x >= plot.scales.x.min);
      const last = xs.findLastIndex((x) => x <= plot.scales.x.max);
      const half = Math.max(1, Math.round(((last - first) / 2) * factor));
      const low = Math.max(0, at - half);
      const high = Math.min(xs.length - 1, at + half);
      if (low < high) plot.setScale("x", { min: xs[low], max: xs[high] });
    };
    const actions = {
      ArrowRight: () => show(at + 1),
      ArrowLeft: () => show(at - 1),
      Home: () => show(0),
      End: () => show(xs.length - 1),
      "+": () => zoom(0.5),
      "-": () => zoom(2),
      Escape: () => plot.setScale("x", { min: xs[0], max: xs[xs.length - 1] }),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };

  const enliven = (figure) => {
    const chart = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
    const picture = figure.querySelector("svg.chart");
    const place = document.createElement("div");
    const readout = document.createElement("p");
    place.className = "live-chart";
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute(
      "aria-label",
      picture.getAttribute("aria-label") + " Arrow keys read point after point, plus and minus zoom, Escape shows everything.",
    );
    readout.className = "readout quiet";
    readout.setAttribute("aria-live", "polite");
    readout.textContent = "Drag to zoom, double click to see everything.";
    picture.after(place, readout);
    const data = aligned(chart);
    let plot = null;
    const build = () => {
      plot?.destroy();
      plot = new uPlot(options(chart, Math.max(280, place.clientWidth), readout), data, place);
    };
    figure.classList.add("live");
    build();
    place.addEventListener("keydown", (event) => onKey(plot, event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build);
    new ResizeObserver(() => {
      const width = Math.max(280, place.clientWidth);
      if (width !== plot.width) plot.setSize({ width, height: Math.round((width * 4) / 7) });
    }).observe(place);
  };

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      enliven(entry.target);
    }
  });
  for (const figure of document.querySelectorAll("figure.plot")) seen.observe(figure);
})();
