import { benchAgents } from './agents.ts';
import { type BenchRow, formatRows } from './bench-row.ts';
import { benchChat } from './chat.ts';
import { benchDocx } from './documents/docx.ts';
import { benchPdf } from './documents/pdf.ts';
import { benchPptx } from './documents/pptx.ts';
import { benchXlsx } from './documents/xlsx.ts';
import { benchProcesses } from './processes.ts';
import { benchTransport } from './transport.ts';

/** Every comparison, in the order in which it runs. `npm run bench -- pdf docx` runs those named only. */
const benches: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  transport: benchTransport,
  xlsx: benchXlsx,
  pdf: benchPdf,
  pptx: benchPptx,
  docx: benchDocx,
  chat: benchChat,
  processes: benchProcesses,
  agents: benchAgents,
};

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const rows = await run();
  if (rows.length > 0) console.log(formatRows(name, rows));
}
