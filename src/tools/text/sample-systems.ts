/** How the sample systems are called where an address would stand. */
export const sampleLabel = 'demo (made-up sample data that comes with the service)';

/** Samples that are kept; then the oldest gives way. */
const samplesMax = 100;

/** Keeps one sample for each organization: what one writes no other sees. Nothing of it outlives the process. */
export function createSampleSystems<System>(create: () => System): { of(organizationId: string): System } {
  const samples = new Map<string, System>();
  return {
    of(organizationId) {
      const known = samples.get(organizationId);
      if (known !== undefined) return known;
      const [oldest] = samples.keys();
      if (samples.size >= samplesMax && oldest !== undefined) samples.delete(oldest);
      const sample = create();
      samples.set(organizationId, sample);
      return sample;
    },
  };
}
