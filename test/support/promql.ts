import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import type { Sample } from './metrics.ts'

/** A condition of a selector: `state="unknown"`. */
export interface Matcher {
  readonly label: string
  readonly operator: string
  readonly value: string
}

/** A selector of an expression: a metric with conditions. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly Matcher[]
  /** Whether it selects a range of time, as `rate` needs it. */
  readonly isRange: boolean
}

/** A comparison of an expression with a number. */
interface Threshold {
  readonly selectors: readonly Selector[]
  readonly operator: string
  readonly value: number
}

function nodesOf(root: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = []
  root.cursor().iterate((node) => {
    if (node.name === name) found.push(node.node)
  })
  return found
}

/** Reads an expression of Prometheus. Throws when it is not valid. */
export function readPromql(expression: string) {
  const tree = parser.parse(expression).topNode
  const textOf = ({ from, to }: SyntaxNode) => expression.slice(from, to)
  const [fault] = nodesOf(tree, '⚠')
  if (fault) throw new Error(`This is not PromQL at ${fault.from}: ${expression}`)

  const selectorOf = (node: SyntaxNode): Selector => ({
    metric: nodesOf(node, 'Identifier').map(textOf)[0] ?? '',
    matchers: nodesOf(node, 'UnquotedLabelMatcher').map((matcher) => ({
      label: nodesOf(matcher, 'LabelName').map(textOf)[0] ?? '',
      operator: nodesOf(matcher, 'MatchOp').map(textOf)[0] ?? '',
      value: JSON.parse(nodesOf(matcher, 'StringLiteral').map(textOf)[0] ?? '""'),
    })),
    isRange: node.parent?.name === 'MatrixSelector',
  })

  const selectorsIn = (node: SyntaxNode) => nodesOf(node, 'VectorSelector').map(selectorOf)

  const thresholds = nodesOf(tree, 'BinaryExpr').flatMap(({ firstChild, lastChild }): Threshold[] => {
    const value = lastChild?.name === 'NumberDurationLiteral' ? Number(textOf(lastChild)) : Number.NaN
    const operator = lastChild?.prevSibling
    if (!firstChild || !operator || Number.isNaN(value)) return []
    return [{ selectors: selectorsIn(firstChild), operator: textOf(operator), value }]
  })

  return {
    selectors: selectorsIn(tree),
    /** The labels by which it groups. */
    grouping: nodesOf(tree, 'GroupingLabels').flatMap((node) => nodesOf(node, 'LabelName').map(textOf)),
    /** The comparisons with numbers. */
    thresholds,
  }
}

/** Whether a sample has the labels that a selector asks for. Labels of the scrape, which samples do not have, match. */
export function isSelected({ name, labels }: Sample, { metric, matchers }: Selector): boolean {
  return (
    name === metric &&
    matchers.every(({ label, operator, value }) => {
      if (label === 'job' || label === 'instance') return true
      const text = labels[label] ?? ''
      const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(text) : text === value
      return operator.startsWith('!') ? !isEqual : isEqual
    })
  )
}

const COMPARE: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '==': (left, right) => left === right,
}

/**
 * The samples that are over a threshold of an expression. Samples in a range, whose rate one scrape does not show, must be
 * above zero instead.
 */
export const samplesOver = (expression: string, samples: readonly Sample[]): readonly Sample[] =>
  readPromql(expression).thresholds.flatMap(({ selectors, operator, value }) =>
    selectors
      .slice(0, 1)
      .flatMap((selector) =>
        samples.filter(
          (sample) =>
            isSelected(sample, selector) &&
            (selector.isRange ? sample.value > 0 : COMPARE[operator]?.(sample.value, value) === true),
        ),
      ),
  )
