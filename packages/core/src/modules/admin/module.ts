import { defineCoreModule } from '../../module/define-module.ts'
import { accounts } from '../accounts/module.ts'
import { subscriptions } from '../subscriptions/module.ts'
import { adminRoutes } from './routes.ts'
import { createAdminService } from './service.ts'

/** Administration of accounts, profiles and payments. */
export const admin = defineCoreModule({
  name: 'admin',
  requires: [accounts, subscriptions],
  stores: ['audit', 'directory', 'subscriptions'],
  create: ({ read, write, clock, settings: { auth } }) => ({
    admin: createAdminService({ read, write, clock, adminEmails: auth.adminEmails }),
  }),
  routes: adminRoutes,
})
