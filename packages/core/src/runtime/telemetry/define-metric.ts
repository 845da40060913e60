import type { MetricInfo, MetricKind, MetricReading } from '../../ports/metrics.ts'
import type { EventHandler } from '../events/define-event.ts'

/** The values of the labels of a metric. */
export type LabelValues<Label extends string> = MetricReading<Label>['labels']

/** The definition of a metric. */
export interface MetricDefinition<Label extends string = string, Kind extends MetricKind = MetricKind>
  extends MetricInfo<Label> {
  readonly kind: Kind
  /** The events that a counter counts, with the labels of each. */
  readonly counts?: readonly EventHandler<LabelValues<Label>>[] | undefined
}

const NAME = /^[a-z][a-z0-9_]*$/

function define<Label extends string, Kind extends MetricKind>(
  definition: MetricDefinition<Label, Kind>,
): MetricDefinition<Label, Kind> {
  const { name, kind, labels } = definition
  const odd = [name, ...labels].find((word) => !NAME.test(word))
  if (odd !== undefined) throw new TypeError(`"${odd}" is not a name of a metric or label: lower case, digits and _`)
  if ((kind === 'counter') !== name.endsWith('_total'))
    throw new TypeError(`The name of the ${kind} "${name}" must ${kind === 'counter' ? '' : 'not '}end in _total`)
  return definition
}

/**
 * Defines a counter. Every label must have few values: never an id, an address or a text of clients.
 *
 * @throws TypeError when the name does not end in `_total`
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/observability.md
 * @example
 * export const ordersPlaced = defineCounter('shop_orders_total', 'Orders, by country of the shop', ['country'])
 */
export const defineCounter = <const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricDefinition<Label, 'counter'> => define({ kind: 'counter', name, help, labels })

/**
 * Defines a counter of events that this instance stores. Each event is counted after its commit.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/observability.md
 * @example
 * defineEventCounter('shop_orders_total', 'Orders', ['outcome'], [on(orderPlaced, () => ({ outcome: 'placed' }))])
 */
export const defineEventCounter = <const Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[],
  counts: readonly EventHandler<LabelValues<Label>>[],
): MetricDefinition<Label, 'counter'> => define({ kind: 'counter', name, help, labels, counts })

/**
 * Defines a gauge: a value that goes up and down, and is read when the metrics are.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/observability.md
 * @example
 * export const openCarts = defineGauge('shop_open_carts', 'Carts with items')
 */
export const defineGauge = <const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricDefinition<Label, 'gauge'> => define({ kind: 'gauge', name, help, labels })

/** Buckets for durations from a cached read to the longest timeout, in seconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Defines a histogram of durations in seconds, from 1 ms to 30 s.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/observability.md
 * @example
 * export const checkoutTime = defineHistogram('shop_checkout_duration_seconds', 'The time of a checkout', ['outcome'])
 */
export const defineHistogram = <const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricDefinition<Label, 'histogram'> => define({ kind: 'histogram', name, help, labels, buckets: SECONDS })
