/** What a condition may look at by its place: the properties of an item of an event, those of one event, the profile, or more. */
export type Scope = 'item' | 'event' | 'profile' | 'profile and history' | 'without event' | 'all' | 'segment';
