import { messageAreas } from '../../model/messages.ts'
import { PACKAGE_TEXTS } from '../../modules/package-names.ts'
import type { Module } from '../module/define-module.ts'

/**
 * Checks the areas of the texts of modules.
 *
 * @throws TypeError that names the module, when an area does not begin with its name, or is one of the service
 * @throws TypeError that names both modules, when two define the same area
 */
export function checkMessages(modules: readonly Pick<Module, 'name' | 'messages'>[]): void {
  const shipped = new Set(PACKAGE_TEXTS)
  const owners = new Map<string, string>()
  for (const { name, messages } of modules) {
    for (const area of messages ? messageAreas(messages.english) : []) {
      const defines = `The module "${name}" defines texts "${area}"`
      const owner = owners.get(area)
      if (owner !== undefined) throw new TypeError(`${defines}, which the module "${owner}" defines`)
      if (shipped.has(area)) throw new TypeError(`${defines}, which the service has`)
      if (area !== name && !area.startsWith(`${name}-`)) {
        throw new TypeError(`${defines}. Begin their keys with "${name}." or "${name}-"`)
      }
      owners.set(area, name)
    }
  }
}
