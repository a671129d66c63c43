TITLES = ()
