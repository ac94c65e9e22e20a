/**
 * Every limit that a caller can meet, each with its unit in its name. Tests hold each at its edge.
 */
export const limits = {
  request: {
    bodyBytes: 1_048_576,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    idleHttp2SessionMs: 300_000,
    requestIdChars: 128,
  },
  document: {
    renderTimeoutMs: 20_000,
    filenameChars: 80,
    tableRows: 50_000,
    tableCells: 150_000,
    /** Characters of any one string of a spec. */
    textChars: 200_000,
  },
  excel: { columns: 200, cellChars: 32_767 },
  pdf: { sections: 500, tableColumns: 30, tableCells: 50_000, summaryCards: 5, pages: 2_000 },
  pptx: {
    slides: 300,
    /** With those that continue long tables. */
    slidesWritten: 2_000,
    elementsPerSlide: 200,
    charts: 1_000,
    tableRows: 5_000,
    widthInches: 13.333,
    heightInches: 7.5,
  },
  docx: { sections: 1_000, tableColumns: 63 },
  chart: { labels: 1_000, datasets: 50 },
  image: {
    perDocument: 20,
    bytes: 5 * 1_048_576,
    pixels: 40_000_000,
    fetchTimeoutMs: 5_000,
    redirects: 3,
  },
  grpc: { httpBodyChunkBytes: 262_144 },
  ipThrottle: { requestsPerMinute: 600, authFailuresPerMinute: 200 },
  session: {
    /** Without a use; uses are noted once in `useNotedEveryMs`, so that the end may come by that much sooner. */
    idleMs: 1_800_000,
    useNotedEveryMs: 60_000,
    /** From sign-in to the latest end. */
    absoluteMs: 43_200_000,
    /** The oldest is ended by one more. */
    perUser: 100,
    /** Failed sign-ins in a sliding window: of one account, known or not, and of one address (IPv6: its /64). */
    failuresPerAccount: 10,
    failuresPerAddress: 50,
    failureWindowMs: 900_000,
  },
  apiKey: {
    rateLimitPerHourDefault: 1_000,
    rateLimitPerHourMin: 1,
    rateLimitPerHourMax: 1_000_000,
    tokenBudgetDefault: 5_000_000,
  },
  chat: {
    idempotencyKeyChars: 255,
    idempotencyWindowMs: 86_400_000,
    idempotencyLeaseMs: 60_000,
    turnWaitMs: 30_000,
    toolRounds: 8,
    completionTokensDefault: 4_096,
    roundTimeoutMs: 600_000,
    toolTimeoutMs: 60_000,
    /** Of the arguments of one call, JSON. */
    toolArgumentsChars: 262_144,
    /** Of what one call returns to the model. */
    toolResultChars: 262_144,
    toolCallsPerRound: 32,
    conversationLeaseMs: 20_000,
    reservationLeaseMs: 60_000,
    titleChars: 80,
    heartbeatMs: 15_000,
  },
  conversations: { pageSizeMin: 1, pageSizeMax: 100, pageSizeDefault: 25 },
  sql: {
    statementTimeoutMs: 15_000,
    /** How long a statement waits for another one's lock. */
    lockTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
    rows: 500,
    /** Of what the model reads, with the column names and the closing remark. */
    resultBytes: 262_144,
    statementChars: 16_384,
    /** Of the description of all databases together that a model is told. */
    schemaChars: 16_000,
    schemaAgeMs: 60_000,
    /** Of one actor that are offered in a turn. */
    connections: 20,
    /** Statements that run at a time on one connection; others wait. */
    statementsPerConnection: 4,
  },
  /** Issue trackers, wikis and mailboxes. */
  systems: {
    rows: 25,
    rowsDefault: 10,
    /** Of one page of results, as the model reads it. */
    resultBytes: 65_536,
    excerptChars: 300,
    /** Of the only row of a result. */
    loneExcerptChars: 4_000,
    /** Words and phrases of one search. */
    terms: 16,
    termChars: 100,
    writtenTitleChars: 255,
    writtenBodyChars: 32_000,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 15_000,
    mailTimeoutMs: 30_000,
    responseBytes: 4 * 1_048_576,
    /** Read of one mail's text. */
    mailTextBytes: 65_536,
    /** The longest Retry-After that is waited for. */
    retryAfterMs: 10_000,
    /** Failures in a row after which a site is left alone, and for how long. */
    siteFailures: 5,
    sitePauseMs: 30_000,
    connectionTestMs: 20_000,
  },
  webhook: {
    triggersPerAgentHour: 60,
    attemptsPerIpMinute: 20,
    attemptsPerIpHour: 120,
    timestampToleranceMs: 300_000,
    replayMemoryMs: 600_000,
    payloadBytes: 32_768,
    secretBytes: 32,
  },
  agent: {
    nameChars: 200,
    promptChars: 100_000,
    timeLimitSecondsDefault: 300,
    timeLimitSecondsMax: 3_600,
    notificationTargets: 10,
    pageSizeMax: 100,
    pageSizeDefault: 25,
    /** Starts of one run, those after a crash included. */
    attempts: 5,
    /** A scheduled time that was missed by more is not made up for. */
    catchUpWindowMs: 3_600_000,
    /** How long a run stands still when its worker has died. */
    runLeaseMs: 20_000,
    /** How soon a running run notices that it is to stop. */
    runHeartbeatMs: 1_000,
  },
  notification: { timeoutMs: 10_000, responseHeaderBytes: 16_384 },
} as const;
