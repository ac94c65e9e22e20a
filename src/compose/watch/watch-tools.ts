import type { Tool, ToolProvider } from '../../ports/tool.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type Tracer, traced } from '../../telemetry/tracer.ts';

/** Counts, times and traces the calls of tools. */
export function watchTools(
  providers: readonly ToolProvider[],
  metrics: Metrics,
  tracer: Tracer | null,
): readonly ToolProvider[] {
  function watched(tool: Tool): Tool {
    const { name } = tool;
    const run: Tool['run'] = async (args, context) => {
      const startedAt = performance.now();
      let outcome = 'failed';
      try {
        const result = await tool.run(args, context);
        outcome = 'ok';
        return result;
      } finally {
        const seconds = (performance.now() - startedAt) / 1_000;
        metrics.counter('service_tool_calls_total', [name, outcome]).value += 1;
        metrics.histogram('service_tool_call_duration_seconds', [name]).observe(seconds);
      }
    };
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
    return Object.assign(Object.create(tool) as Tool, {
      run: (...args: Parameters<Tool['run']>) =>
        tracer === null
          ? run(...args)
          : traced(tracer, `execute_tool ${name}`, { attributes }, () => run(...args)),
    });
  }
  return providers.map((provider) => ({
    toolsFor: async (request) => (await provider.toolsFor(request)).map(watched),
  }));
}
