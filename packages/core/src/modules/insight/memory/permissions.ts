import type { Permissions } from '../../../model/permission.ts'

declare module '@eep/core' {
  interface EepPermissions {
    'memory.use': true
  }
}

/** What roles permit with memory. */
export const memoryPermissions = {
  'memory.use': { role: 'editor', summary: 'Read and write the memory of its agents' },
} as const satisfies Permissions

/** The names of the permissions. */
export type MemoryPermission = keyof typeof memoryPermissions
