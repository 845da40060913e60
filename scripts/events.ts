// docs/reference/events.md, made from the event definitions of the modules.
import { everyModule } from '../packages/core/src/testing/every-module.ts'

interface Shape {
  readonly [name: string]: { isOptional(): boolean }
}

/** The names of the members of what an event or an email contains; optional ones end in `?`. */
export function membersOf({ data }: { readonly data: unknown }): string {
  const { shape = {} } = data as { readonly shape?: Shape }
  const names = Object.entries(shape).map(([name, type]) => `\`${name}${type.isOptional() ? '?' : ''}\``)
  return names.join(', ')
}

/** The page of all events, a table for each module. */
export function eventsPage(): string {
  const tables = everyModule
    .filter(({ events }) => events.length > 0)
    .map(({ name, events }) => {
      const rows = events.map((event) => {
        const { type, audience, subject, signals, audit, changelog, summary } = event
        const sent = signals?.types.map((signal) => `\`${signal.type}\``).join(', ')
        const audited = audit && `audit \`${audit.type}\``
        const notes = [sent && `signal ${sent}`, audited, changelog && 'in the changelog'].filter(Boolean).join(', ')
        return `| \`${type}\` | ${summary} | ${audience} | ${subject} | ${membersOf(event)} | ${notes} |`
      })
      const head = [
        '| type | emitted when | audience | subject | data | signal, changelog and audit |',
        '|---|---|---|---|---|---|',
      ]
      return [`## ${name}`, '', ...head, ...rows].join('\n')
    })
  return `# Events

Generated from the event definitions by \`npm run docs\`. [Events](../concepts/events.md) explains how to receive them.

Each event also has \`id\`, \`at\`, \`profileId\` (the profile it is about) and \`accountId\` (the account that caused it). The audience is
who may receive it: everyone (\`public\`), the team of the profile (\`team\`), the account (\`account\`), or the host only (\`internal\`).

${tables.join('\n\n')}
`
}
