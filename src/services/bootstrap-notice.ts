import { exampleSpecs } from '../domain/documents/example-specs.ts';
import type { EngineName } from '../domain/errors.ts';
import type { BootstrapResult } from './bootstrap.ts';

/** The files that the commands of the notice write. */
const files: Readonly<Record<EngineName, string>> = {
  excel: 'sales.xlsx',
  pdf: 'report.pdf',
  pptx: 'review.pptx',
  docx: 'brief.docx',
};

/**
 * Returns the text that the first start shows: what was created, the secrets for the only time, and commands to copy.
 *
 * @param publicUrl The service's address without a slash at its end.
 */
export function bootstrapNotice(result: BootstrapResult, publicUrl: string): string {
  const lines = ['', 'First start: this is shown once.', ''];
  lines.push(`  Organization   ${result.organizationId}`);
  if (result.administrator !== undefined) {
    lines.push(`  Administrator  ${result.administrator.email}`);
    lines.push(`  Password       ${result.administrator.password}`);
  }
  if (result.apiKey !== undefined) {
    lines.push(`  API key        ${result.apiKey.key}`, '', 'Try it:', '');
    lines.push(`  export SERVICE=${publicUrl} API_KEY=${result.apiKey.key}`, '');
    lines.push('  curl -s $SERVICE/v1/health -H "Authorization: Bearer $API_KEY"', '');
    for (const engine of Object.keys(files) as EngineName[]) lines.push(...generatorCommand(engine), '');
    lines.push('  curl -sN $SERVICE/v1/chat -H "Authorization: Bearer $API_KEY" \\');
    lines.push(
      `    -H 'Accept: text/event-stream' -H 'Content-Type: application/json' -d '{"message":"Hello"}'`,
    );
  }
  lines.push('', 'The tools on sample data (write "/tool search_issues {}" to the demo model):');
  lines.push(
    `  npm run -s admin -- org update ${result.organizationId} --tracker-site demo --wiki-site demo`,
  );
  lines.push('', 'More keys, users and limits: npm run -s admin -- --help', '');
  return lines.join('\n');
}

function generatorCommand(engine: EngineName): string[] {
  // A quote cannot stand in a single-quoted shell word: it is closed, escaped and opened again.
  const body = JSON.stringify(exampleSpecs[engine]).replaceAll("'", "'\\''");
  return [
    `  curl -sf $SERVICE/v1/${engine} -H "Authorization: Bearer $API_KEY" \\`,
    `    -H 'Content-Type: application/json' -o ${files[engine]} \\`,
    `    -d '${body}'`,
  ];
}
