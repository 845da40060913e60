import type { HostDefinition } from './host-definition.ts'
import { variablesOf } from './merge-variables.ts'

const INTRODUCTION =
  '# All variables are optional; an empty value is ignored. An invalid value stops the start with an error that names it.'

/**
 * Returns the text of `.env.example`: every variable of a host, with what it is for.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await writeFile('.env.example', envExample(host))
 */
export function envExample(host: Pick<HostDefinition, 'adapters'>): string {
  const lines = [INTRODUCTION]
  for (const [name, { comment, example, isPreset = false }] of Object.entries(variablesOf(host))) {
    if (comment !== undefined) {
      lines.push('', ...comment.split('\n').map((line) => `# ${line}`))
    }
    lines.push(`${isPreset ? '' : '# '}${name}=${example}`)
  }
  return `${lines.join('\n')}\n`
}
