import type { Module } from '../module/define-module.ts'

/**
 * Returns the modules so that each one comes after those that it requires or uses, and otherwise in their order.
 *
 * @throws TypeError that names the circle, when modules require or use each other
 */
export function orderModules(modules: readonly Module[]): readonly Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]))
  const ordered = new Set<Module>()
  function add(module: Module, path: readonly string[]) {
    if (ordered.has(module)) return
    const start = path.indexOf(module.name)
    if (start >= 0) {
      const circle = [...path.slice(start), module.name].map((name) => `"${name}"`).join(' → ')
      throw new TypeError(`Modules require or use each other: ${circle}`)
    }
    for (const { name } of [...module.requires, ...module.uses]) {
      const needed = byName.get(name)
      if (needed) add(needed, [...path, module.name])
    }
    ordered.add(module)
  }
  for (const module of modules) add(module, [])
  return [...ordered]
}
