/** The measures of a report, in points. A4 (ISO 216), upright unless a table needs the width. */
export const theme = {
  page: { short: 595.28, long: 841.89 },
  margin: { side: 48, top: 52, bottom: 56 },
  band: { padding: 30, titleSize: 25, titleSizeMin: 15, titleLines: 4, subtitleSize: 12, subtitleLines: 4 },
  logo: { width: 120, height: 48, padding: 8 },
  heading: { size: 15, gapBefore: 20, gapAfter: 10, ruleGap: 5, rule: 2, mark: 44 },
  body: { size: 10.5, lineHeight: 15.5, gap: 7 },
  bullet: { indent: 16, radius: 2, gap: 4 },
  table: { size: 9, sizeMin: 5.5, paddingX: 6, paddingMin: 1.2, paddingY: 4.5, gapBefore: 4, gapAfter: 14 },
  card: {
    gap: 12,
    padding: 12,
    radius: 5,
    edge: 3,
    valueSize: 21,
    valueSizeMin: 12,
    labelSize: 9,
    gapAfter: 14,
  },
  callout: { padding: 12, edge: 4, gapBefore: 6, gapAfter: 14, size: 10 },
  chart: { height: 222, heightMin: 165, heightEmpty: 110, gapBefore: 6, gapAfter: 14 },
  image: { gapBefore: 6, gapAfter: 14, captionSize: 9, captionGap: 6 },
  footer: { size: 8, offset: 30, rule: 0.5 },
} as const;

/** How far under the middle of a line its letters stand, as a share of their size: half of Noto Sans's capitals. */
export const baselineShare = 0.357;
