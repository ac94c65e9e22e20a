import { DockerfileParser, type From, type Instruction, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { readFile } from './deployment-files.ts';

/** What the image is made of. */
export interface Image {
  /** Of the last stage, as it is when a container starts. */
  readonly env: Readonly<Record<string, string>>;
  /** What the last stage takes from this folder. */
  readonly copied: readonly string[];
  /** The shell commands of the stage that fetches the packages. */
  readonly packageCommands: readonly string[];
  readonly command: readonly string[];
  readonly healthCommand: readonly string[];
  readonly ports: readonly number[];
}

export function readImage(text = readFile('Dockerfile')): Image {
  const [packages = [], last = []] = stagesOf(text);
  const one = (keyword: string) => last.filter((instruction) => instruction.getKeyword() === keyword);
  const argsOf = (instruction: Instruction) => instruction.getArguments().map((arg) => arg.getValue());
  return {
    env: Object.fromEntries(
      one('ENV')
        .flatMap(argsOf)
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
    ),
    copied: one('COPY').flatMap((copy) => (isFromStage(copy) ? [] : argsOf(copy).slice(0, -1))),
    packageCommands: packages
      .filter((instruction) => instruction.getKeyword() === 'RUN')
      .map((run) => run.getArgumentsContent() ?? ''),
    command: one('CMD').flatMap(execForm),
    healthCommand: one('HEALTHCHECK').flatMap(execForm),
    ports: one('EXPOSE').flatMap(argsOf).map(Number),
  };
}

/** What is wrong with a Dockerfile: what a parser finds, and what this project asks of its image. */
export function lintDockerfile(text: string): string[] {
  const instructions = DockerfileParser.parse(text).getInstructions();
  const last = stagesOf(text).at(-1) ?? [];
  const faults = validate(text).map(({ message }) => (typeof message === 'string' ? message : message.value));
  const check = (isRight: boolean, fault: string) => void (isRight || faults.push(fault));
  const named = (keyword: string) => last.filter((instruction) => instruction.getKeyword() === keyword);
  for (const instruction of instructions) {
    const content = instruction.getArgumentsContent() ?? '';
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      const image = (instruction as From).getImage() ?? '';
      check(/:\d+\.\d+\.\d+(-[\w.-]+)?(@sha256:[0-9a-f]{64})?$/.test(image), `${image} is not pinned`);
    }
    check(keyword !== 'ADD', 'ADD fetches and unpacks: COPY does not');
    check(!(keyword === 'ENV' && /KEY|PASSWORD|TOKEN|SECRET|_URL/.test(content)), 'a secret in the image');
    check(
      !(keyword === 'RUN' && /\b(sudo|curl|wget)\b/.test(content)),
      `RUN ${content}: not pinned by a lock file`,
    );
  }
  const user = named('USER').at(-1)?.getArgumentsContent() ?? '';
  check(/^[1-9]\d*(:[1-9]\d*)?$/.test(user), 'the last USER must be a number other than 0');
  for (const keyword of ['CMD', 'HEALTHCHECK']) {
    const [instruction] = named(keyword);
    check(
      instruction !== undefined && execForm(instruction).length > 0,
      `${keyword} in exec form is missing`,
    );
  }
  return faults;
}

/** The instructions of each stage, FROM first. */
function stagesOf(text: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

function isFromStage(instruction: Instruction): boolean {
  return /^COPY\s+--from=/i.test(instruction.getTextContent());
}

/** The command of a CMD or HEALTHCHECK; empty when a shell would have to read it. */
function execForm(instruction: Instruction): string[] {
  const array = /(\[.*\])\s*$/s.exec((instruction as JSONInstruction).getTextContent())?.[1];
  try {
    return array === undefined ? [] : JSON.parse(array);
  } catch {
    return [];
  }
}
