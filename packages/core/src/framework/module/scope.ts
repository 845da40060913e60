import type { PageLanguage } from '../../model/messages.ts'

/** What a scope lets a program do: read, change, or spend money. */
export type ScopeGroup = 'read' | 'change' | 'spend'

/** A scope of API keys and connected apps. */
export interface ScopeDefinition {
  /** A verb and a subject: `read:quotes`. */
  readonly name: string
  /** Default: `read` for names that begin with `read:`, `spend` for `spend:`, else `change`. */
  readonly group?: ScopeGroup | undefined
  /** Returns what it permits, for people: "Read: quotes". Default: its name. */
  readonly words?: ((page: PageLanguage) => string) | undefined
  /** The programs that can have it: only API keys, or only connected apps. Default: both. */
  readonly only?: 'keys' | 'apps' | undefined
}

/** A scope as modules write it: a definition, or its name alone. */
export type DeclaredScope = string | ScopeDefinition

/** Returns the definition of a scope. */
export const scopeDefinition = (declared: DeclaredScope): ScopeDefinition =>
  typeof declared === 'string' ? { name: declared } : declared

/** Returns the group of a scope. */
export function scopeGroup({ name, group }: Pick<ScopeDefinition, 'name' | 'group'>): ScopeGroup {
  if (group !== undefined) return group
  if (name.startsWith('read:')) return 'read'
  return name.startsWith('spend:') ? 'spend' : 'change'
}
