import type { BootstrapResult } from './bootstrap.ts';

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
    lines.push(`  export API_KEY=${result.apiKey.key}`);
    lines.push(`  curl -s ${publicUrl}/v1/health -H "Authorization: Bearer $API_KEY"`);
    lines.push(`  curl -s ${publicUrl}/v1/excel -H "Authorization: Bearer $API_KEY" \\`);
    lines.push("    -H 'Content-Type: application/json' -o hello.xlsx \\");
    lines.push(
      `    -d '{"title":"Hello","columns":["Name","Amount"],"rows":[{"Name":"World","Amount":42}]}'`,
    );
  }
  lines.push('', 'More keys, users and limits: npm run -s admin -- --help', '');
  return lines.join('\n');
}
