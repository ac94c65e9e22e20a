import fc from 'fast-check';

/** Checks of a submission repeat the same cases; runs on a developer's machine look for new ones. */
if (process.env.CI === 'true') fc.configureGlobal({ seed: 20_261_121 });
