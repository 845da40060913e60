export type { NotificationPage, NotificationService, WrittenNotification } from './service.ts'
