/** `/name` or `/name args`, as typed; a path is none. */
export const isSlashCommand = (text: string): boolean => /^\/[a-z][\w:-]*(?:\s|$)/i.test(text);
