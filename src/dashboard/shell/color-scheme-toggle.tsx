import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { DeviceDesktopIcon, MoonIcon, SunIcon } from '@primer/octicons-react';

const SCHEMES = [
  { value: 'light', label: 'Light', Icon: SunIcon },
  { value: 'dark', label: 'Dark', Icon: MoonIcon },
  { value: 'auto', label: 'System', Icon: DeviceDesktopIcon },
] as const;

export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon } = SCHEMES.find(({ value }) => value === colorScheme) ?? SCHEMES[2];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Colour scheme">
          <Icon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
