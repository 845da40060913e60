// The table of metrics between `<!-- metrics -->` and `<!-- /metrics -->`, from their definitions.
import { metricsOf } from '../packages/core/src/framework/composition/metrics.ts'
import { everyModule } from '../packages/core/src/testing/every-module.ts'

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** A table of all metrics of the service, by name. */
export function metricsTable(): string {
  const metrics = metricsOf(everyModule).toSorted((left, right) => (left.name < right.name ? -1 : 1))
  return [
    row(['metric', 'kind', 'labels', 'meaning']),
    row(['---', '---', '---', '---']),
    ...metrics.map(({ name, kind, labels, help }) =>
      row([`\`${name}\``, kind, labels.map((label) => `\`${label}\``).join(', '), help]),
    ),
  ].join('\n')
}
