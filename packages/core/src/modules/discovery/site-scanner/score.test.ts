import { describe, expect, it } from 'vitest'
import { type CheckStatus, pass, type SiteRule } from './rule.ts'
import { gradeOf, levelOf, scoreOf } from './score.ts'

const rule = (id: string, weight: number): SiteRule => ({
  id,
  weight,
  category: 'http',
  summary: '',
  fix: '',
  doc: '',
  check: async () => pass(''),
})
const rules = [rule('heavy', 3), rule('light', 1), rule('other', 2)]
const checks = (...statuses: CheckStatus[]) => statuses.map((status, index) => ({ id: rules[index]?.id ?? '', status }))

describe('the score', () => {
  it.each([
    [['pass', 'pass', 'pass'], 100],
    [['fail', 'fail', 'fail'], 0],
    [['fail', 'pass', 'pass'], 50],
    [['warn', 'pass', 'pass'], 75],
    [['pass', 'skip', 'skip'], 100],
    [['pass', 'warn', 'pass'], 91],
    [['skip', 'skip', 'skip'], 0],
  ] as const)('of %j is %i', (statuses, score) => {
    expect(scoreOf(checks(...statuses), rules)).toBe(score)
  })

  it.each([
    [100, 'A'],
    [90, 'A'],
    [89, 'B'],
    [80, 'B'],
    [79, 'C'],
    [70, 'C'],
    [69, 'D'],
    [60, 'D'],
    [59, 'F'],
    [0, 'F'],
  ] as const)('%i has the grade %s', (score, grade) => {
    expect(gradeOf(score)).toBe(grade)
  })
})

describe('the level of EEP', () => {
  const of = (core: CheckStatus, standard: CheckStatus, full: CheckStatus) =>
    levelOf([
      { id: 'eep-core', status: core },
      { id: 'eep-standard', status: standard },
      { id: 'eep-full', status: full },
    ])

  it('needs every level below it', () => {
    expect(of('pass', 'pass', 'pass')).toBe('full')
    expect(of('pass', 'pass', 'fail')).toBe('standard')
    expect(of('pass', 'fail', 'pass')).toBe('core')
    expect(of('fail', 'pass', 'pass')).toBe('none')
    expect(of('warn', 'pass', 'pass')).toBe('none')
    expect(levelOf([])).toBe('none')
  })
})
