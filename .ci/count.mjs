import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
const brokenFiles = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
console.log(`${numPassedTests} passed, ${numFailedTests + brokenFiles.length} failed`);
if (numPassedTests === 0 || (numFailedTestSuites > 0 && numFailedTests === 0 && brokenFiles.length === 0))
  process.exitCode = 1;
