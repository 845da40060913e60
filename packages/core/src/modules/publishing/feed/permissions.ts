import type { Permissions } from '../../../model/permission.ts'

declare module '@eep/core' {
  interface EepPermissions {
    'feed.post': true
  }
}

/** What roles permit with posts. */
export const feedPermissions = {
  'feed.post': { role: 'editor', summary: 'Post updates and delete them' },
} as const satisfies Permissions

/** The names of the permissions. */
export type FeedPermission = keyof typeof feedPermissions
