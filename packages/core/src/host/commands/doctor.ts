import type { Finding } from '../check.ts'
import { examine } from '../doctor.ts'
import type { Command } from './command.ts'

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ', skipped: 'skipped' } as const

const linesOf = ({ check, status, detail, fix }: Finding) => [
  `${MARKS[status]}  ${check}: ${detail}`,
  ...(fix === undefined ? [] : [`         ${fix}`]),
]

/** Checks the configuration and everything that it names. Invalid variables are findings, too. */
export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'checks the configuration and what it depends on, and changes nothing',
  help: `Checks the configuration, the database, payment rails, email, files and the public URL, and changes nothing. Exits
with 1 when a check failed; warnings do not fail.

  --before-start   skip what only a running host can answer, so that a deployment can run this before the first start`,
  positionals: 0,
  options: { 'before-start': { type: 'boolean' } },
  async run({ host, environment, options }) {
    const findings = await examine(host, environment, { beforeStart: options['before-start'] === true })
    const isHealthy = findings.every(({ status }) => status !== 'failed')
    return {
      text: findings.flatMap(linesOf).join('\n'),
      json: { ok: isHealthy, findings },
      exitCode: isHealthy ? 0 : 1,
    }
  },
}
