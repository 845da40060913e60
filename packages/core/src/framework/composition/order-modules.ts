import type { Module } from '../module/define-module.ts'

/**
 * Returns the modules so that each one comes after those that it requires or uses, and otherwise in their order.
 *
 * @throws TypeError that names the circle, when modules require or use each other
 */
export function orderModules(modules: readonly Module[]): readonly Module[] {
  const waiting = new Map(modules.map((module) => [module.name, module]))
  const needsOf = ({ requires, uses }: Module) => [...requires, ...uses].map(({ name }) => name)
  const missingOf = (module: Module) => needsOf(module).find((name) => waiting.has(name))
  const ordered: Module[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find((module) => missingOf(module) === undefined)
    if (!next) throw new TypeError(`Modules require or use each other: ${circleIn(waiting, missingOf)}`)
    waiting.delete(next.name)
    ordered.push(next)
  }
  return ordered
}

/** The names of a circle among modules that all wait for another one. */
function circleIn(waiting: ReadonlyMap<string, Module>, missingOf: (module: Module) => string | undefined): string {
  const path: string[] = []
  let name = [...waiting.keys()][0]
  while (name !== undefined && !path.includes(name)) {
    path.push(name)
    const module = waiting.get(name)
    name = module && missingOf(module)
  }
  const circle = name === undefined ? path : [...path.slice(path.indexOf(name)), name]
  return circle.map((each) => `"${each}"`).join(' → ')
}
