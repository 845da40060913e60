import { type Finding, fail, pass } from './rule.ts'

/** One question of a level of EEP: undefined when the response conforms, otherwise what is wrong. */
export interface Probe {
  readonly name: string
  ask(): Promise<string | undefined> | string | undefined
}

/** Runs the probes of a level. It passes when every one conforms. */
export async function probeLevel(level: string, probes: readonly Probe[]): Promise<Finding> {
  const asked = await Promise.all(probes.map(async ({ name, ask }) => ({ name, problem: await ask() })))
  const problems = asked.filter(({ problem }) => problem !== undefined)
  if (problems.length === 0) return pass(`All ${asked.length} checks of EEP ${level} pass.`)
  const evidence = problems.map(({ name, problem }) => `${name}: ${problem}`).join('; ')
  return fail(`${problems.length} of ${asked.length} checks of EEP ${level} do not pass.`, evidence)
}
